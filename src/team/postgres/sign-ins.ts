import { randomHex, uuidOf } from '../../base/ids.ts';
import type { TokenHash } from '../store/team-store.ts';
import { writeMemberAudit } from './authorship.ts';
import type { Database } from './connect.ts';
import { inOrg } from './tenant.ts';

/** A waiting sign-in stores the hash of a token that only the device knows. Approval makes the token valid. */
export const createSignIns = (database: Database) => ({
  /** Starts the sign-in of a device. Returns false if too many devices are waiting for approval, or the code is in use. */
  async request({ code, hash, name }: { code: string; hash: TokenHash; name: string }, lifetimeMs: number) {
    const [row] = await database.query<{ accepted: boolean }>(
      `select backstory.ask_sign_in($1, $2, $3, $4 * interval '1 millisecond') as accepted`,
      [code, hash, name, lifetimeMs],
    );
    return row?.accepted ?? false;
  },
  /** Makes the token of the waiting device valid, for a new device of the caller. */
  approve: (token: TokenHash, code: string) =>
    inOrg(database, token, async (query, requester) => {
      const [waiting] = await query<{ hash: Buffer; name: string }>(
        'select * from backstory.take_sign_in($1)',
        [code],
      );
      const name = waiting?.name ?? '';
      const taken = await query(
        `select from backstory.principal where org = backstory.current_org() and kind = 'device' and name = $1`,
        [name],
      );
      const device = uuidOf(randomHex(16));
      await query(
        `insert into backstory.principal (org, id, kind, person, name)
         values (backstory.current_org(), $1, 'device', $2, $3)`,
        [device, requester.person, taken.length > 0 ? `${name} ${device.slice(-6)}` : name],
      );
      // The device gets the scopes of the token that approves it.
      await query(
        `insert into backstory.token (org, id, principal, hash, scopes)
         values (backstory.current_org(), $1, $2, $3, $4)`,
        [device, device, waiting?.hash, requester.scopes],
      );
      await writeMemberAudit(query, requester, 'device.approve', device);
      return { device, name };
    }),
  logRefusal: (token: TokenHash, why: string) =>
    inOrg(database, token, async (query, requester) => {
      await writeMemberAudit(query, requester, 'device.refuse', requester.principal, { why });
    }),
  revoke: (token: TokenHash) =>
    inOrg(database, token, async (query, requester) => {
      await query(
        `update backstory.token set revoked = now() where org = backstory.current_org() and revoked is null
           and (hash = $1 or (principal = $2 and is_browser_session))`,
        [token, requester.principal],
      );
      await writeMemberAudit(query, requester, 'device.leave', requester.principal);
    }),
  async state(hash: TokenHash) {
    const [row] = await database.query<{ state: 'waiting' | 'approved' | 'gone' }>(
      'select backstory.sign_in_state($1) as state',
      [hash],
    );
    return row?.state ?? 'gone';
  },
});
