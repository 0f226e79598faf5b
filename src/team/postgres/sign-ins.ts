import { uuidv7 } from '../../base/ids.ts';
import type { Requester } from '../../domain/memory.ts';
import type { SignIns } from '../store/team-store.ts';
import type { Database } from './connect.ts';
import { authorized } from './tenant.ts';

/** A waiting sign-in stores the hash of a token that only the device knows. Approval makes the token valid. */
export const createSignIns = (database: Database): SignIns => ({
  async request({ code, hash, name }, lifetimeMs) {
    const [row] = await database.query<{ accepted: boolean }>(
      `select backstory.ask_sign_in($1, $2, $3, $4 * interval '1 millisecond') as accepted`,
      [code, hash, name, lifetimeMs],
    );
    return row?.accepted ?? false;
  },
  approve: (token, code) =>
    authorized(() =>
      database.transaction(async (query) => {
        const [requester] = await query<Requester>(
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
          [device, requester?.person, row?.taken === true ? `${name} ${device.slice(-6)}` : name],
        );
        // The device gets at most the scopes of the token that approves it.
        await query(
          `insert into backstory.token (org, id, principal, hash, scopes, label)
           select backstory.current_org(), $1, $2, $3, s.scopes, $4
           from (select array(select unnest($5::text[]) intersect select unnest(array['read', 'write'])
             order by 1)) s (scopes) returning 1`,
          [device, device, waiting?.hash, name, requester?.scopes],
        );
        await query(
          `insert into backstory.audit (org, principal, action, subject)
           values (backstory.current_org(), $1, 'device.approve', $2)`,
          [requester?.principal, device],
        );
        return { device, name };
      }),
    ),
  logRefusal: (token, why) =>
    authorized(() =>
      database.transaction(async (query) => {
        const [requester] = await query<Requester>('select principal from backstory.enter_org($1)', [token]);
        await query(
          `insert into backstory.audit (org, principal, action, subject, detail)
           values (backstory.current_org(), $1, 'device.refuse', $1::uuid::text, $2)`,
          [requester?.principal, JSON.stringify({ why })],
        );
      }),
    ),
  revoke: (token) =>
    authorized(() =>
      database.transaction(async (query) => {
        const [requester] = await query<Requester>('select principal from backstory.enter_org($1)', [token]);
        await query(
          `update backstory.token set revoked = now() where org = backstory.current_org() and revoked is null
             and (hash = $1 or (principal = $2 and is_browser_session))`,
          [token, requester?.principal],
        );
        await query(
          `insert into backstory.audit (org, principal, action, subject)
           values (backstory.current_org(), $1, 'device.leave', $2)`,
          [requester?.principal, requester?.principal],
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
