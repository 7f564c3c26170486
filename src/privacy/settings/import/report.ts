import { formatPath, listEntries, type Node } from './nodes.ts';
import type { ImportLine } from './schemas.ts';

type Outcome = Omit<ImportLine, 'source'>;

/** No line of a file may get lost: what no rule has read is reported as ignored. */
const UNKNOWN = 'The import has no rule for it.';

/** What happens to each line of an imported file. */
export class ImportReport {
  readonly #lines = new Map<string, { path: Node['path']; outcomes: Outcome[] }>();
  /** Places with reported places below them. */
  readonly #parents = new Set<string>();

  import(node: Node, field: string | null, value: string): void {
    this.#add(node, { outcome: 'imported', field, value, reason: null });
  }

  change(node: Node, field: string | null, value: string | null, reason: string): void {
    this.#add(node, { outcome: 'changed', field, value, reason });
  }

  /** Nothing, if the file does not have it. */
  ignore(node: Node, reason: string): void {
    if (node.value === undefined) return;
    this.#add(node, { outcome: 'ignored', field: null, value: null, reason });
  }

  reject(node: Node, field: string | null, reason: string): void {
    this.#add(node, { outcome: 'rejected', field, value: null, reason });
  }

  /** The lines in the order of the file. Subtrees that nothing was read from are one line. */
  list(root: Node): ImportLine[] {
    const left = new Set(this.#lines.keys());
    const visit = (node: Node): ImportLine[] => {
      const key = toKey(node.path);
      left.delete(key);
      const own = this.#linesAt(key);
      const isParent = this.#parents.has(key);
      if (own.length === 0 && !isParent) return [toIgnored(node)];
      return [...own, ...(isParent ? listEntries(node).flatMap(([, each]) => visit(each)) : [])];
    };
    const found = visit(root);
    // Places that the file lacks, for example a missing reject button.
    return [...[...left].flatMap((key) => this.#linesAt(key)), ...found];
  }

  #linesAt(key: string): ImportLine[] {
    const { path = [], outcomes = [] } = this.#lines.get(key) ?? {};
    return outcomes.map((outcome) => ({ source: formatPath(path), ...outcome }));
  }

  #add({ path }: Node, outcome: Outcome): void {
    const key = toKey(path);
    const line = this.#lines.get(key) ?? { path, outcomes: [] };
    line.outcomes.push(outcome);
    this.#lines.set(key, line);
    for (let length = path.length - 1; length >= 0; length -= 1)
      this.#parents.add(toKey(path.slice(0, length)));
  }
}

const toKey = (path: Node['path']): string => JSON.stringify(path);

const toIgnored = ({ path }: Node): ImportLine => ({
  source: formatPath(path),
  outcome: 'ignored',
  field: null,
  value: null,
  reason: UNKNOWN,
});
