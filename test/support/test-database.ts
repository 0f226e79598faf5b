import { connect, type Database } from '../../src/team/postgres/connect.ts';

/** Few shards, because each test database creates all of them. */
const fewShards = 4;
const ignore = (): void => {};

interface Node {
  host: string;
  port: number;
  isCoordinator: boolean;
}

/**
 * Creates a database on the server that `administrator` is connected to. If that is the coordinator of a Citus cluster,
 * creates it on every node, with the extension and the workers of the cluster. Only a single Postgres copies a template.
 */
export async function createTestDatabase(
  administrator: Database,
  server: string,
  name: string,
  {
    owner,
    template,
    shards = fewShards,
  }: { owner?: string | undefined; template?: string | undefined; shards?: number | undefined } = {},
): Promise<void> {
  const create = `create database ${name}${owner === undefined ? '' : ` owner ${owner}`}`;
  const nodes = await nodesOf(administrator);
  if (nodes.length === 0)
    await administrator.query(`${create}${template === undefined ? '' : ` template ${template}`}`);
  await Promise.all(
    nodes.map(async (node) => {
      await onNode(server, node, 'postgres', (database) => database.query(create));
      await onNode(server, node, name, (database) => database.query('create extension citus'));
    }),
  );
  const [coordinator] = nodes.filter(({ isCoordinator }) => isCoordinator);
  if (coordinator === undefined) return;
  await onNode(server, coordinator, name, async (database) => {
    await database.query('select citus_set_coordinator_host($1, $2)', [coordinator.host, coordinator.port]);
    for (const { host, port, isCoordinator } of nodes)
      if (!isCoordinator) await database.query('select citus_add_node($1, $2)', [host, port]);
    await database.query(`alter database ${name} set citus.shard_count = ${shards}`);
  });
}

export async function dropTestDatabase(administrator: Database, server: string, name: string): Promise<void> {
  const drop = `drop database if exists ${name} with (force)`;
  const nodes = await nodesOf(administrator);
  if (nodes.length === 0) await administrator.query(drop);
  for (const node of nodes) await onNode(server, node, 'postgres', (database) => database.query(drop));
}

/** Runs the work on a server for the duration of `work`. */
export async function onServer<T>(url: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = connect(url, ignore, 1);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

function onNode<T>(
  server: string,
  { host, port }: Node,
  name: string,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const url = new URL(server);
  Object.assign(url, { hostname: host, port: String(port), pathname: `/${name}` });
  return onServer(url.href, work);
}

/** The nodes of the Citus cluster; none on a single Postgres. */
async function nodesOf(administrator: Database): Promise<Node[]> {
  const citus = await administrator.query(`select from pg_extension where extname = 'citus'`);
  if (citus.length === 0) return [];
  return administrator.query<Node>(
    `select nodename as host, nodeport as port, groupid = 0 as "isCoordinator" from pg_dist_node order by groupid`,
  );
}
