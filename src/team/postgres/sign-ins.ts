import { uuidv7 } from '../../base/ids.ts';
import type { Requester } from '../../domain/memory.ts';
import type { SignIns } from '../store/team-store.ts';
import type { Database } from './connect.ts';
import { gate } from './tenant.ts';

/** What waits under a code is the hash of a token that only the device knows; approving it makes it good. */
export const createSignIns = (database: Database): SignIns => ({
  async ask({ code, hash, name }, lastsMs) {
    const [row] = await database.query<{ asked: boolean }>(
      `select backstory.ask_sign_in($1, $2, $3, $4 * interval '1 millisecond') as asked`,
      [code, hash, name, lastsMs],
    );
    return row?.asked ?? false;
  },
  approve: (token, code) =>
    gate(() =>
      database.transaction(async (query) => {
        const [asker] = await query<Requester>(
          'select org, principal, person, kind, scopes from backstory.enter_org($1)',
          [token],
        );
        const [waiting] = await query<{ hash: Buffer; name: string }>(
          'select * from backstory.take_sign_in($1)',
          [code],
        );
        const name = waiting?.name ?? '';
        const [row] = await query<{ at: number; taken: boolean }>(
          `select (extract(epoch from now()) * 1000)::float8 as at, exists (select from backstory.principal
             where org = backstory.current_org() and kind = 'device' and name = $1) as taken`,
          [name],
        );
        const device = uuidv7(Math.floor(row?.at ?? 0));
        await query(
          `insert into backstory.principal (org, id, kind, person, name)
           values (backstory.current_org(), $1, 'device', $2, $3)`,
          [device, asker?.person, row?.taken === true ? `${name} ${device.slice(-6)}` : name],
        );
        // No more than the person may with the token they approve by.
        await query(
          `insert into backstory.token (org, id, principal, hash, scopes, label)
           select backstory.current_org(), $1, $2, $3, s.scopes, $4
           from (select array(select unnest($5::text[]) intersect select unnest(array['read', 'write'])
             order by 1)) s (scopes)`,
          [device, device, waiting?.hash, name, asker?.scopes],
        );
        await query(
          `insert into backstory.audit (org, principal, action, subject)
           values (backstory.current_org(), $1, 'device.approve', $2)`,
          [asker?.principal, device],
        );
        return { device, name };
      }),
    ),
  refused: (token, why) =>
    gate(() =>
      database.transaction(async (query) => {
        const [asker] = await query<Requester>('select principal from backstory.enter_org($1)', [token]);
        await query(
          `insert into backstory.audit (org, principal, action, subject, detail)
           values (backstory.current_org(), $1, 'device.refuse', $1::uuid::text, $2)`,
          [asker?.principal, JSON.stringify({ why })],
        );
      }),
    ),
  leave: (token) =>
    gate(() =>
      database.transaction(async (query) => {
        const [asker] = await query<Requester>('select principal from backstory.enter_org($1)', [token]);
        await query(
          `update backstory.token set revoked = now() where org = backstory.current_org() and revoked is null
             and (hash = $1 or (principal = $2 and is_browser_session))`,
          [token, asker?.principal],
        );
        await query(
          `insert into backstory.audit (org, principal, action, subject)
           values (backstory.current_org(), $1, 'device.leave', $2)`,
          [asker?.principal, asker?.principal],
        );
      }),
    ),
  async state(hash) {
    const [row] = await database.query<{ state: 'waiting' | 'approved' | 'gone' }>(
      'select backstory.sign_in_state($1) as state',
      [hash],
    );
    return row?.state ?? 'gone';
  },
});
