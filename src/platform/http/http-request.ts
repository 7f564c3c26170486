import { IncomingMessage } from 'node:http';

/** A request whose body can be read without the events of a stream, which take longer than parsing it. */
export class HttpRequest extends IncomingMessage {
  readonly #chunks: Buffer[] = [];
  #onBody: ((body: Buffer) => void) | undefined;
  /** What Node.js does to a request without a body. It has no public name, so it may be gone one day. */
  declare _dumpAndCloseReadable: (() => void) | undefined;

  /**
   * Reads the whole body, of whatever length: check its `content-length` first. Afterwards the stream is at its end.
   * @param onBody not called if the client disconnects first
   */
  readBody(onBody: (body: Buffer) => void): void {
    // It has waited for the request before it on its connection, and its body for this request's reader.
    if (this.complete || this.readableLength > 0) {
      this.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
      this.on('end', () => onBody(join(this.#chunks)));
    } else this.#onBody = onBody;
  }

  /** Called by the parser of Node.js with each part of the body, and with null at its end. */
  override push(chunk: Buffer | null): boolean {
    if (!this.#onBody) return super.push(chunk);
    if (chunk) {
      this.#chunks.push(chunk);
      return true;
    }
    if (this._dumpAndCloseReadable) this._dumpAndCloseReadable();
    else super.push(null);
    this.#onBody(join(this.#chunks));
    return true;
  }
}

const join = (chunks: Buffer[]): Buffer =>
  chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
