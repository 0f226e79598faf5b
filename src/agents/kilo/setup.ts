import { openCodeSetupOf } from '../opencode/setup.ts';

export const kiloSetup = openCodeSetupOf('kilo', 'Kilo');
