import fc from 'fast-check';

/** Makes fast-check generate the same cases in each run. Loaded only if BACKSTORY_SEED is set. */
fc.configureGlobal({ seed: Number(process.env.BACKSTORY_SEED) });
