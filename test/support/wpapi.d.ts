/** Types for the part of wpapi that the tests use. The package has none. */
declare module 'wpapi' {
  interface Page extends Array<object> {
    _paging?: { total: string; totalPages: string; links: { next: string; prev: string } };
  }
  interface Handler extends PromiseLike<Page> {
    id(id: number): Handler;
    param(name: string, value: string | readonly string[]): Handler;
    perPage(count: number): Handler;
    page(number: number): Handler;
    get(): Promise<unknown>;
    // biome-ignore lint/suspicious/noExplicitAny: JSON of any shape, which the tests check
    create(data: object): Promise<any>;
    // biome-ignore lint/suspicious/noExplicitAny: JSON of any shape, which the tests check
    update(data: object): Promise<any>;
    // biome-ignore lint/suspicious/noExplicitAny: JSON of any shape, which the tests check
    delete(): Promise<any>;
  }
  // biome-ignore lint/style/noDefaultExport: the package has a default export
  export default class WPAPI {
    constructor(options: { endpoint: string; routes: object; username: string; password: string });
    /** Finds the API of a site by the `Link` header of its start page. */
    static discover(url: string): Promise<WPAPI>;
    namespace(name: string): Record<'vendors' | 'data-map' | 'scripts' | 'users', () => Handler>;
  }
}
