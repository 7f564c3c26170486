import { Empty } from '../../components/states.tsx';

/** In place of all that a server without retention lacks. */
export function NoRetention() {
  return (
    <Empty icon="retention" title="This server has no retention">
      Its version has no part for it.
    </Empty>
  );
}
