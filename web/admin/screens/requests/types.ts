/** Requests of data subjects, as `/dsar` has them. */
export const REQUEST_TYPES = [
  'access',
  'deletion',
  'rectification',
  'portability',
  'objection',
] as const;
export const CASE_STATUSES = [
  'received',
  'in_progress',
  'on_hold',
  'completed',
  'rejected',
  'withdrawn',
] as const;
export type CaseStatus = (typeof CASE_STATUSES)[number];
/** Why a request waits or is refused (GDPR Art. 12(5), 12(6), 17(3)). */
export const GROUNDS = [
  'identity',
  'clarification',
  'legal_hold',
  'unfounded',
  'excessive',
  'exemption',
  'other',
] as const;

export interface Case {
  id: number;
  reference: string;
  request_type: (typeof REQUEST_TYPES)[number];
  status: CaseStatus;
  status_label: string;
  deadline: string;
  submitted: string;
  completed: string | null;
  first_name: string | null;
  last_name: string | null;
  email: string | null;
  additional_info: string | null;
  language: string;
  regime: 'gdpr' | 'ccpa' | 'lgpd';
  verified_at: string | null;
  assignee: string | null;
  ground: (typeof GROUNDS)[number] | null;
  extended: boolean;
  overdue: boolean;
  paused_since: string | null;
  paused_days: number;
  duplicate_of: number | null;
}

export interface CaseEvent {
  id: number;
  at: string;
  actor: string;
  action: string;
  details: Record<string, unknown>;
}

export interface Task {
  id: number;
  kind: 'collect' | 'erase' | 'manual' | 'package';
  source: string;
  label: string;
  status: string;
  attempts: number;
  records: number;
  erased: number;
  anonymised: number;
  kept: { count: number; reason: string }[];
  last_error: string | null;
  reason: string | null;
  finished_at: string | null;
}
