import type { IncomingHttpHeaders } from 'node:http';
import type { Static, TObject } from 'typebox';
import type { Caller, User } from '../auth/caller.ts';
import type { Params } from './params.ts';
import { readArgs } from './read-args.ts';
import type { RestRequest } from './route.ts';
import type { WireRequest } from './wire.ts';

/**
 * What a handler gets. A class for its getters, which are for what most handlers do without: in an
 * object literal they would give each request a shape of its own, which outlives it by far.
 */
export class HandlerRequest implements RestRequest<never> {
  readonly args: never;
  readonly id: number;
  readonly user: User | null;
  readonly headers: IncomingHttpHeaders;
  readonly #wire: WireRequest;
  readonly #params: Params;
  readonly #restRoot: () => string;

  constructor(
    wire: WireRequest,
    { user }: Caller,
    read: { args: never; id: number; params: Params },
    restRoot: () => string,
  ) {
    this.args = read.args;
    this.id = read.id;
    this.user = user;
    this.headers = wire.headers;
    this.#wire = wire;
    this.#params = read.params;
    this.#restRoot = restRoot;
  }

  get client(): string {
    return this.#wire.client();
  }

  get url(): URL {
    return new URL(this.#wire.target, this.#restRoot());
  }

  get read() {
    return <T extends TObject>(schema: T): Static<T> => readArgs(this.#params, schema);
  }
}
