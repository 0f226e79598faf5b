import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'web/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 180_000,
    // Two cores: more workers only make the timing tests noisier.
    maxWorkers: 2,
    setupFiles: process.env.BACKSTORY_SEED === undefined ? [] : ['test/same-seed.ts'],
    globalSetup: ['test/build-once.ts'],
  },
});
