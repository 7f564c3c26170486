import { Empty } from '../../components/states.tsx';

export function NoDesk() {
  return (
    <Empty icon="card" title="This server issues no licences">
      It runs without the Licence API (PAVIS_SERVICES), so there is nothing to look after here.
    </Empty>
  );
}
