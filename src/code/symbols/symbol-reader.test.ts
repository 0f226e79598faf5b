import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { cpuClock } from '../../../test/support/cpu-time.ts';
import { symbolAt } from './symbol.ts';
import { createSymbolReader } from './symbol-reader.ts';

let read: ReturnType<typeof createSymbolReader>;
beforeAll(() => {
  read = createSymbolReader(join(import.meta.dirname, '../../../assets/grammars'), cpuClock);
});

/** `kind container.name first-last`, in the order of the text. */
async function describeSymbols(path: string, text: string): Promise<string[]> {
  const { symbols } = await read(path, text);
  return symbols.map(({ kind, container, name, startLine, endLine }) =>
    [kind, container === '' ? name : `${container}.${name}`, `${startLine}-${endLine}`].join(' '),
  );
}

const samples: Record<string, { text: string; expected: string[] }> = {
  'a.ts': {
    text: `/** Not part of it. */
@Injectable()
export class Store<T> extends Base {
  private size = 0;
  @memo()
  get(key: string): T {
    const local = 1;
    const inner = () => local;
    return inner();
  }
  handle = async () => {};
}
export const limit = 5, cap = 6;
export const open = (path: string) => {
  return path;
};
interface Shape { area(): number; name: string }
export type Id = string;
enum Color { Red, Green = 2 }
namespace Deep { export function f() {} }
declare function ambient(): void;
`,
    expected: [
      'class Store 2-12',
      'field Store.size 4-4',
      'method Store.get 5-10',
      'function Store.get.inner 8-8',
      'method Store.handle 11-11',
      'constant limit 13-13',
      'constant cap 13-13',
      'function open 14-16',
      'interface Shape 17-17',
      'method Shape.area 17-17',
      'field Shape.name 17-17',
      'type Id 18-18',
      'enum Color 19-19',
      'member Color.Red 19-19',
      'member Color.Green 19-19',
      'module Deep 20-20',
      'function Deep.f 20-20',
      'function ambient 21-21',
    ],
  },
  'a.jsx': {
    text: `const View = ({ name }) => <b>{name}</b>;
app.use = function use(fn) {
  return this;
};
Route.prototype.match = res.set = function () {};
exports.version = '1';
module.exports = function create() {};
function* steps() {}
`,
    expected: [
      'function View 1-1',
      'method app.use 2-4',
      'method Route.match 5-5',
      'method res.set 5-5',
      'constant version 6-6',
      'function create 7-7',
      'function steps 8-8',
    ],
  },
  'a.py': {
    text: `LIMIT = 3

@decorate(
    1,
)
class Box(Base):
    size: int = 0

    @property
    async def value(self):
        """Doc."""
        return 1


def make():
    def inner():
        pass
    return inner
`,
    expected: [
      'constant LIMIT 1-1',
      'class Box 3-12',
      'field Box.size 7-7',
      'method Box.value 9-12',
      'function make 15-18',
      'function make.inner 16-17',
    ],
  },
  'a.go': {
    text: `package a

const (
	One = 1
	Two = 2
)

type Server[T any] struct {
	Addr string
}

type Closer interface {
	Close() error
}

func (s *Server[T]) Close() error {
	return nil
}

func New() *Server[int] { return nil }
`,
    expected: [
      'constant One 4-4',
      'constant Two 5-5',
      'struct Server 8-10',
      'field Server.Addr 9-9',
      'interface Closer 12-14',
      'method Closer.Close 13-13',
      'method Server.Close 16-18',
      'function New 20-20',
    ],
  },
  'a.rs': {
    text: `#[derive(Debug)]
#[repr(C)]
pub struct Point {
    x: i32,
}
impl<T> fmt::Display for Wrapper<T> {
    fn fmt(&self) -> Result {
        Ok(())
    }
}
pub trait Shape { fn area(&self) -> f64; }
mod inner { pub const N: u8 = 1; }
macro_rules! twice { () => {} }
`,
    expected: [
      'struct Point 1-5',
      'field Point.x 4-4',
      'method Wrapper.fmt 7-9',
      'trait Shape 11-11',
      'method Shape.area 11-11',
      'module inner 12-12',
      'constant inner.N 12-12',
      'macro twice 13-13',
    ],
  },
  'A.java': {
    text: `package a;
@Deprecated
public class A<T> {
  private static final int X = 1, Y = 2;
  @Override
  public String toString() {
    Runnable r = new Runnable() { public void run() {} };
    return "";
  }
  A() {}
  enum Kind { ONE, TWO }
  record Pair(int a, int b) {}
}
`,
    expected: [
      'class A 2-13',
      'field A.X 4-4',
      'field A.Y 4-4',
      'method A.toString 5-9',
      'method A.toString.run 7-7',
      'constructor A.A 10-10',
      'enum A.Kind 11-11',
      'member A.Kind.ONE 11-11',
      'member A.Kind.TWO 11-11',
      'class A.Pair 12-12',
    ],
  },
  'a.c': {
    text: `#define MAX(a, b) ((a) > (b) ? \\
  (a) : (b))
typedef struct { int x; } point_t;
struct node {
  struct node *next;
  int (*compare)(int, int);
};
static int __init __weak start(void)
{
  int local = 0;
  for_each(local) {
  }
  return local;
}
extern int errors;
int counter = 0, *others;
char *name_of(int id);
enum { RED, GREEN };
`,
    expected: [
      'macro MAX 1-2',
      'type point_t 3-3',
      'field point_t.x 3-3',
      'struct node 4-7',
      'field node.next 5-5',
      'field node.compare 6-6',
      'function start 8-14',
      'declaration errors 15-15',
      'variable counter 16-16',
      'variable others 16-16',
      'declaration name_of 17-17',
      'member RED 18-18',
      'member GREEN 18-18',
    ],
  },
  'a.hpp': {
    text: `LIB_BEGIN_NAMESPACE
namespace lib {
template <typename T>
class LIB_API Box : public Base {
 public:
  explicit Box(T value) : value_(value) {}
  T get() const;
  ~Box() = default;
 private:
  T value_;
};
template <typename T> T Box<T>::get() const { return value_; }
using Id = int;
}
`,
    expected: [
      'module lib 2-14',
      'class lib.Box 3-11',
      'method lib.Box.Box 6-6',
      'declaration lib.Box.get 7-7',
      'method lib.Box.~Box 8-8',
      'field lib.Box.value_ 10-10',
      'method lib.Box.get 12-12',
      'type lib.Id 13-13',
    ],
  },
  'a.rb': {
    text: `module Outer
  class Inner::Job < Base
    LIMIT = 3
    attr_reader :name, :size
    def self.open(path)
    end
    def done?
      true
    end
  end
end
def top; end
`,
    expected: [
      'module Outer 1-11',
      'class Outer.Inner.Job 2-10',
      'constant Outer.Inner.Job.LIMIT 3-3',
      'field Outer.Inner.Job.name 4-4',
      'field Outer.Inner.Job.size 4-4',
      'method Outer.Inner.Job.open 5-6',
      'method Outer.Inner.Job.done? 7-9',
      'function top 12-12',
    ],
  },
  'a.php': {
    text: `<?php
namespace App;
#[Entity]
final class User {
    const MAX = 3;
    private string $name;
    public function __construct(private int $id) {}
    public function label(): string {
        return 'x';
    }
}
function helper() {}
`,
    expected: [
      'module App 2-2',
      'class User 3-11',
      'constant User.MAX 5-5',
      'field User.name 6-6',
      'constructor User.__construct 7-7',
      'field User.__construct.id 7-7',
      'method User.label 8-10',
      'function helper 12-12',
    ],
  },
  'a.cs': {
    text: `namespace App;
[Serializable]
public class Box<T> {
    const int Max = 3;
    public int Size { get; set; }
    public event Action Changed;
    public Box() {}
    [Fact]
    public async Task Run() {
        int local = 1;
        void Inner() {}
    }
    enum Kind { One, Two }
}
`,
    expected: [
      'module App 1-1',
      'class Box 2-14',
      'field Box.Max 4-4',
      'field Box.Size 5-5',
      'field Box.Changed 6-6',
      'constructor Box.Box 7-7',
      'method Box.Run 8-12',
      'function Box.Run.Inner 11-11',
      'enum Box.Kind 13-13',
      'member Box.Kind.One 13-13',
      'member Box.Kind.Two 13-13',
    ],
  },
};

describe('symbols of a file', () => {
  for (const [path, { text, expected }] of Object.entries(samples)) {
    it(`[symbols-languages] have their lines in ${path}`, async () => {
      expect(await describeSymbols(path, text)).toEqual(expected);
    });
  }

  it('have a signature without body, decorators and comments', async () => {
    const text = '@cached\nasync def load(\n    path: str,\n) -> bytes:  # why\n    # more\n    return b""\n';
    const { symbols } = await read('a.py', text);
    expect(symbols[0]).toMatchObject({
      signature: 'async def load( path: str, ) -> bytes',
      line: 2,
      column: 11,
      startLine: 1,
      endLine: 6,
    });
  });

  it('include the innermost symbol of a line', async () => {
    const { text } = samples['a.ts'] as { text: string };
    const { symbols } = await read('a.ts', text);
    expect([7, 8, 1].map((line) => symbolAt(symbols, line)?.name)).toEqual(['get', 'inner', undefined]);
  });

  it('are found after a construct that the grammar does not know', async () => {
    const text = `export interface Odd {\n  <<<< ((((\n\nexport class After {\n  run() {}\n}\n`;
    expect(await describeSymbols('a.ts', text)).toEqual(
      expect.arrayContaining(['class After 4-4', 'method run 5-5']),
    );
  });

  it('[symbols-languages] are found by line without a parser, and the answer says so', async () => {
    const kotlin = await read('a.kt', 'data class User(val id: Int)\n\nfun main() {\n}\n');
    expect(kotlin).toMatchObject({ how: 'lines', reason: 'no_parser' });
    expect(kotlin.symbols.map(({ name, line }) => [name, line])).toEqual([
      ['User', 1],
      ['main', 3],
    ]);
    expect(await describeSymbols('a.md', '# One\ntext\n## Two\n```\n# no\n```\n# Three\n')).toEqual([
      'heading One 1-6',
      'heading Two 3-6',
      'heading Three 7-7',
    ]);
  });
});

describe('an occurrence of a name', () => {
  const rolesOf = async (path: string, text: string, name: string): Promise<string[]> => {
    const { occurrences } = await read(path, text, { uses: name });
    return (occurrences?.found ?? []).map(
      ({ line, role, within }) => `${line} ${role}${within === '' ? '' : ` in ${within}`}`,
    );
  };

  it('[symbols-references] is a definition, a call, an import or a mention, not a comment or a string', async () => {
    const text = `import { load } from './load.ts';
// load is a comment
export function load2() {
  return load('load', \`\${load} load\`);
}
const other = load;
new Box(x.load());
`;
    expect(await rolesOf('a.ts', text, 'load')).toEqual([
      '1 import',
      '4 call in load2',
      '4 mention in load2',
      '6 mention in other',
      '7 call',
    ]);
    const { occurrences } = await read('a.ts', text, { uses: 'load' });
    expect(occurrences).toMatchObject({ skipped: 4, isCut: false });
  });

  it('is cut off at a limit per file, and the answer says so', async () => {
    const cutAt = async (uses: number) =>
      (await read('a.ts', 'load();\n'.repeat(uses), { uses: 'load' })).occurrences;
    expect((await cutAt(1_000))?.isCut).toBe(false);
    const { found, isCut } = (await cutAt(1_001)) ?? {};
    expect([found?.length, isCut]).toEqual([1_000, true]);
  });

  const perLanguage: [string, string, string[]][] = [
    [
      'a.py',
      'from m import f\ndef g():\n    x.f(1)\n    return f\n',
      ['1 import', '3 call in g', '4 mention in g'],
    ],
    [
      'a.go',
      'package a\nfunc f() {}\nfunc g() { m.f(); _ = f }\n',
      ['2 definition in f', '3 call in g', '3 mention in g'],
    ],
    [
      'a.rs',
      'use m::f;\nfn g() { m::f(); f!(); let x = f; }\n',
      ['1 import', '2 call in g', '2 call in g', '2 mention in g'],
    ],
    [
      'A.java',
      'import m.f;\nclass A { void g() { x.f(); new f(); f = 1; } }\n',
      ['1 import', '2 call in A.g', '2 call in A.g', '2 mention in A.g'],
    ],
    [
      'a.c',
      'int f(void) { return 1; }\nint g(void) { return f() + *p->f; }\n',
      ['1 definition in f', '2 call in g', '2 mention in g'],
    ],
    ['a.cpp', 'void g() { n::f(); f<int>(1); }\n', ['1 call in g', '1 call in g']],
    ['a.rb', 'def g\n  x.f(1)\n  f\nend\n', ['2 call in g', '3 mention in g']],
    [
      'a.php',
      '<?php\nuse A\\f;\nfunction g() { $x->f(); X::f(); f(); new f(); }\n',
      ['2 import', '3 call in g', '3 call in g', '3 call in g', '3 call in g'],
    ],
    [
      'a.cs',
      'using m.f;\nclass A { void g() { x.f(); new f(); } }\n',
      ['1 import', '2 call in A.g', '2 call in A.g'],
    ],
    ['a.tsx', 'const g = () => <f a={1} />;\n', ['1 call in g']],
  ];
  for (const [path, text, roles] of perLanguage) {
    it(`[symbols-references] has the right role in ${path}`, async () => {
      expect(await rolesOf(path, text, 'f')).toEqual(roles);
    });
  }

  it('is plain text without a parser', async () => {
    expect(await rolesOf('a.lua', '-- f\nf()\n', 'f')).toEqual(['1 text', '2 text']);
  });
});

describe('hostile texts', () => {
  const deadline = () => cpuClock.now() + 3_000;
  const hostile: Record<string, [string, string]> = {
    'nested brackets': ['a.js', `x=${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    'brackets that never close': ['a.ts', '{('.repeat(50_000)],
    'nested functions': ['b.js', 'function f(){'.repeat(20_000) + '}'.repeat(20_000)],
    'angle brackets': ['a.cpp', 'a<'.repeat(25_000)],
    'blank lines in a header': ['a.h', '\n'.repeat(1_000_000)],
    'conditions that never end': ['a.c', '#if X\n'.repeat(50_000)],
    'a long line of capitals': ['b.c', 'A_B '.repeat(50_000)],
  };
  for (const [what, [path, text]] of Object.entries(hostile)) {
    it(`[symbols-hostile] finish in time: ${what}`, async () => {
      const started = cpuClock.now();
      await read(path, text, { deadline: deadline() });
      expect(cpuClock.now() - started).toBeLessThan(30_000);
    });
  }

  it('[symbols-hostile] a file of ten megabytes is not parsed, and the answer says so', async () => {
    const text = 'var a=function(b,c){return b};'.repeat(350_000);
    expect(await read('a.js', text)).toMatchObject({ how: 'lines', reason: 'too_large' });
  });

  it('[symbols-hostile] a deadline in the past is respected and does not affect later texts', async () => {
    const late = await read('a.js', 'x(1);'.repeat(100_000), { deadline: cpuClock.now() - 1 });
    expect(late).toMatchObject({ how: 'lines', reason: 'too_late' });
    expect(await describeSymbols('a.js', 'function f() {}\n')).toEqual(['function f 1-1']);
  });

  it('names such as constructor, which every object has, are treated like others', async () => {
    expect(await describeSymbols('a.js', 'class A { constructor() {} toString() {} }\n')).toEqual([
      'class A 1-1',
      'constructor A.constructor 1-1',
      'method A.toString 1-1',
    ]);
    expect((await read('a.constructor', 'x')).how).toBe('lines');
  });
});
