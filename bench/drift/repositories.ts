import type { Manifest } from '../why/repositories.ts';

/** Public histories in nine languages, each pinned to a commit, read from `--histories DIR`. */
export const developed: Manifest = [
  { name: 'expressjs/express', head: 'a3714473feb3d2908add734d340e7755fd85e0a3' },
  { name: 'go-chi/chi', head: '735ae2b87f8c733d616e809ae86e0985c1bc3350' },
  { name: 'hynek/structlog', head: '025edaf799c6d6d511ab672d14c2ba8e885c4c36' },
  { name: 'jqlang/jq', head: '579e6f76cffd7643ba4002a2c3618a5ea710589a' },
  { name: 'sharkdp/fd', head: 'ee20f426ddf338ac7ead5c5f00ea49258005caaf' },
];

/** Held out: nothing was tuned on these. */
export const heldOut: Manifest = [
  { name: 'google/gson', head: '9835b6f90192f79cdf5300c528fc6212455fb6c1' },
  { name: 'google/leveldb', head: '78a352f47ed6c1e9d750545e9b242289185b87e1' },
  { name: 'honojs/hono', head: '28a9c128912de19f3fb28b00ae289c9b93f6f392' },
  { name: 'sinatra/sinatra', head: 'cb22afd7902b566b6eaba6c4ea89739494a65d12' },
  { name: 'slimphp/Slim', head: '038fd5713d5a41636fdff0e8dcceedecdd17fc17' },
];
