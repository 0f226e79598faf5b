import type { Fact } from './fact.ts';

/**
 * Statements and questions of a project in Chinese, whose words are written without spaces. The questions split them
 * differently.
 */
export const chinese: readonly Fact[] = [
  {
    intent: 'why',
    said: '我们还需要 Redis 吗？',
    replied: '决定不再使用 Redis：它只用来做限流，主从切换时计数会丢失。现在限流数据放在 Postgres 表里。',
    asked: ['为什么去掉了 redis', '限流为什么改成存到数据库的表'],
  },
  {
    intent: 'fix',
    said: '登录测试大约十次失败一次。',
    replied: '原因是会话 Cookie 在重定向开始之后才写入。现在响应会先等待存储完成再跳转，测试已经稳定。',
    asked: ['登录测试不稳定是怎么修好的', 'cookie 和重定向的问题是什么'],
  },
  {
    intent: 'told',
    said: '记住：布尔变量要用判断句命名，例如 isOpen、hasRows，不要用 flag。',
    asked: ['布尔变量应该怎么命名', '我对变量命名提过什么要求'],
  },
  {
    intent: 'told',
    said: '提交信息用英文写，先写模块，再写对用户的变化。',
    asked: ['提交信息用什么语言', '我要求的提交信息格式是什么样'],
  },
  {
    intent: 'told',
    said: '没有我的同意不要添加任何新的依赖，开发依赖也不行。',
    asked: ['可以自己加依赖吗', '关于第三方依赖我说过什么'],
  },
  {
    intent: 'command',
    said: '预发布环境怎么执行数据库迁移？',
    replied: '用这条命令：`npx knex migrate:latest --env staging`，原来的 npm 脚本已经删掉了。',
    asked: ['执行迁移的命令是什么', '怎么在预发布环境升级表结构'],
  },
  {
    intent: 'command',
    said: '我想在本地恢复脱敏后的生产数据。',
    replied: '恢复命令是 `pg_restore --clean --no-owner -d app_dev anonymised.dump`。',
    asked: ['怎么恢复生产数据的备份', '本地导入脱敏数据用哪条命令'],
  },
  {
    intent: 'when',
    said: '今天把 Node 从 20 升到 24。',
    replied: '已升级到 Node 24，有两个测试依赖微任务的顺序，已经修正。',
    asked: ['什么时候升级的 node', '升级之后哪些测试出了问题'],
  },
  {
    intent: 'value',
    said: '把连接池调大一点。',
    replied: '连接池大小从 10 改为 40，因为中午高峰时请求在排队等连接。',
    asked: ['连接池现在是多大', '为什么要增加数据库连接数'],
  },
  {
    intent: 'now',
    said: '关于重试我改主意了。',
    replied:
      '现在失败后最多重试五次，采用指数退避并加随机抖动，总时长不超过三十秒；以前固定间隔一秒重试三次的做法作废。',
    asked: ['重试策略最后怎么定的', '请求失败之后重试几次'],
  },
  {
    intent: 'fix',
    said: '内存一直涨，直到容器被杀掉。',
    replied:
      '内存泄漏的原因是每个请求都在共享事件总线上加监听器却从不移除。现在监听器跟随请求的取消信号一起结束。',
    asked: ['内存泄漏是什么引起的', '容器为什么老是被杀'],
  },
  {
    intent: 'fix',
    said: '有的顾客被扣了两次款。',
    replied: '重复扣款是因为幂等键用毫秒时间生成。现在用订单号加尝试次数作为幂等键。',
    asked: ['重复扣款怎么解决的', '幂等键现在由什么组成'],
  },
  {
    intent: 'why',
    said: '列表接口用游标还是页码？',
    replied: '选择游标分页：数据整天都在最前面插入，用页码的话第二页会重复第一页的内容。',
    asked: ['为什么选游标分页', '用页码翻页有什么坏处'],
  },
  {
    intent: 'why',
    said: '权限检查缓存一分钟可以吗？',
    replied: '不采用：离职员工必须立刻失去访问权限，不能再等六十秒。',
    asked: ['为什么权限不能缓存', '离职员工的访问权限有什么要求'],
  },
  {
    intent: 'files',
    said: '做一个深色模式。',
    replied:
      '深色模式完成，涉及 `web/theme/palette.ts`、`web/theme/use-theme.ts` 和 `web/settings/appearance.tsx`。',
    asked: ['深色模式改了哪些文件', '深色主题在哪里实现的'],
  },
  {
    intent: 'files',
    said: '增加两步验证登录。',
    replied: '两步验证的代码在 `server/auth/totp.ts` 和 `server/auth/enroll.ts`。',
    asked: ['两步验证在哪些文件里', '登录的第二步验证代码放在哪'],
  },
  {
    intent: 'left',
    said: '总结一下导入向导的进度。',
    replied: '上传和列映射已经可用。还没做的：美式日期会读错，而且导入不能撤销。',
    asked: ['导入向导还剩什么没完成', '导入时日期有什么问题没解决'],
  },
  {
    intent: 'tried',
    said: '给函数多分配内存来加快冷启动。',
    replied: '增加内存没有效果，时间都花在加载一千九百个小文件上，已经撤回。',
    asked: ['加内存对冷启动有用吗', '冷启动优化第一次尝试为什么失败'],
  },
  {
    intent: 'fix',
    said: '那就换一种办法优化冷启动。',
    replied: '把所有代码打包成单个文件之后，启动时间降到八百毫秒。',
    asked: ['最后怎么缩短启动时间的', '打包成一个文件的效果如何'],
  },
  {
    intent: 'known',
    said: '支付沙箱有什么坑？',
    replied: '支付服务商的沙箱对被拒绝的银行卡也返回 200，要看响应体里的 status 字段。',
    asked: ['沙箱里怎么判断银行卡被拒', '支付服务商的返回码为什么不可信'],
  },
  {
    intent: 'known',
    said: '金额一律用整数保存，单位是分，旁边存币种，不允许浮点数。',
    asked: ['金额怎么存', '价格可以用浮点类型吗'],
  },
  {
    intent: 'known',
    said: '测试数据库每周日凌晨四点重建，手工写入的数据会丢失。',
    asked: ['测试数据库什么时候重建', '周日之后我手工加的数据为什么没了'],
  },
  {
    intent: 'fix',
    said: '导出的表格里德文人名是乱码。',
    replied: 'Excel 用错了编码打开文件，现在每个 CSV 开头都写入字节顺序标记。',
    asked: ['导出乱码怎么处理的', 'excel 打开 csv 编码不对怎么办'],
  },
  {
    intent: 'fix',
    said: '部署之后队列停住了。',
    replied: '旧进程退出时还占着连接池的咨询锁。现在每个任务单独加锁，租期一分钟。',
    asked: ['队列为什么在部署后停住', '任务加锁的租期是多久'],
  },
  {
    intent: 'who',
    said: '把上传上限改成 250 MB。',
    replied: '上传上限由 20 MB 提高到 250 MB，因为建筑师会发送整套楼层图纸。',
    asked: ['谁提高了上传上限', '现在最大能上传多大的文件'],
  },
  {
    intent: 'now',
    said: '功能开关要换地方。',
    replied: '功能开关现在存在数据库里并缓存一分钟，YAML 文件已删除，因为以前关一个开关就要重新部署。',
    asked: ['功能开关现在放在哪', '为什么不再用 yaml 配置开关'],
  },
  {
    intent: 'why',
    said: '报表里能让客户自己写 SQL 吗？',
    replied: '不允许在报表里自由编写 SQL：某个客户的一次交叉连接会拖慢其他所有客户。',
    asked: ['报表为什么不开放 sql', '客户自己写查询有什么风险'],
  },
  {
    intent: 'fix',
    said: '夜间报表少了最后一小时。',
    replied: '区间以服务器的零点结束，而夏令时服务器慢一小时。现在区间采用左闭右开并统一用 UTC。',
    asked: ['报表为什么少一个小时', '夏令时的区间问题怎么改的'],
  },
  {
    intent: 'fix',
    said: '两个导入同时跑就死锁。',
    replied: '每个导入按自己文件的顺序更新行。现在写入前先按主键排序，死锁消失。',
    asked: ['死锁是怎么消除的', '写入之前为什么要排序'],
  },
  {
    intent: 'told',
    said: '错误提示要写给用户看：发生了什么、该怎么做，不要堆栈。',
    asked: ['错误提示该怎么写', '给用户看的报错信息我有什么要求'],
  },
  {
    intent: 'told',
    said: '界面上统一叫“工作区”，“租户”这个词只在数据库里用。',
    asked: ['界面用工作区还是租户', '租户这个说法可以用在哪里'],
  },
  {
    intent: 'when',
    said: '把 Postgres 升级到 17。',
    replied: 'Postgres 已从 14 升到 17，有一个视图因为系统表字段变化需要重建。',
    asked: ['postgres 何时升级到 17 的', '升级数据库时重建了什么视图'],
  },
];
