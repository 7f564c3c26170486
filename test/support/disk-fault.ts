/* Preloaded into a process, whose disk does not confirm writes while the file `DISK_FAULT` exists. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { fdatasync } = fs;
const fault = Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
const failing = (file: number, done: fs.NoParamCallback): void =>
  fs.existsSync(process.env.DISK_FAULT ?? '') ? done(fault) : fdatasync(file, done);
Object.assign(fs, { fdatasync: failing });
syncBuiltinESMExports();
