import { IncomingMessage } from 'node:http';

/**
 * A request whose body can be read without the events of a stream, which take longer than parsing it. Its properties are
 * only declared, because a field would take time in each request, also in those without a body.
 */
export class HttpRequest extends IncomingMessage {
  /** Set while the body is read. */
  declare private reader: { chunks: Buffer[]; onBody: (body: Buffer) => void } | undefined;
  /** What Node.js does to a request without a body. It has no public name, so it may be gone one day. */
  declare private _dumpAndCloseReadable: (() => void) | undefined;

  /**
   * Reads the whole body, of whatever length: check its `content-length` first. Afterwards the stream is at its end.
   * @param onBody not called if the client disconnects first
   */
  readBody(onBody: (body: Buffer) => void): void {
    const chunks: Buffer[] = [];
    // It has waited for the request before it on its connection, and its body for this request's reader.
    if (this.complete || this.readableLength > 0) {
      this.on('data', (chunk: Buffer) => chunks.push(chunk));
      this.on('end', () => onBody(join(chunks)));
    } else this.reader = { chunks, onBody };
  }

  /** Called by the parser of Node.js with each part of the body, and with null at its end. */
  override push(chunk: Buffer | null): boolean {
    const { reader } = this;
    if (!reader) return super.push(chunk);
    if (chunk) {
      reader.chunks.push(chunk);
      return true;
    }
    if (this._dumpAndCloseReadable) this._dumpAndCloseReadable();
    else super.push(null);
    reader.onBody(join(reader.chunks));
    return true;
  }
}

const join = (chunks: Buffer[]): Buffer =>
  chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
