export { createLicenceFile } from './service.ts';
