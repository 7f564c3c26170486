export { createWitnessServer } from './server.ts';
export { openWitness, type Witness } from './service.ts';
