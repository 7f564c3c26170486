import { parentPort, workerData } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common';
import { dictionary as german } from '@zxcvbn-ts/language-de';
import { dictionary as english } from '@zxcvbn-ts/language-en';
import type { StrengthCheck } from './password-strength.ts';

/** Guesses it must take: what is above it is no common password with a year or a few digits after it. */
const GUESSES_MIN = 1e9;

/** The other side of `isEasyToGuess`. */
const { password, personal } = workerData as StrengthCheck;
const zxcvbn = new ZxcvbnFactory({
  graphs: adjacencyGraphs,
  dictionary: { ...common, ...english, ...german },
});
const { guesses } = zxcvbn.check(password, ['pavis', ...personal]);
parentPort?.postMessage(guesses < GUESSES_MIN);
