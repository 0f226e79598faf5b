import fc from 'fast-check';

/** With BACKSTORY_SEED set, every property is tried on the same cases in each run. */
fc.configureGlobal({ seed: Number(process.env.BACKSTORY_SEED) });
