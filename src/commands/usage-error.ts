import {
  ApiError,
  CliError,
  type DomainError,
  InvalidFieldError,
  TakenError,
} from '../platform/errors.ts';

/** Fields with the content of a file: one that cannot be used is not wrong usage. */
const FILE_FIELDS = new Set([
  'changelog',
  'consent',
  'content',
  'csv',
  'file',
  'sbom',
  'signature',
]);

/** The options of commands, by the field that messages of the API name. Other fields have the name of their option. */
const OPTIONS: Record<string, string> = {
  additional_info: '--info',
  current_version: '--current-version',
  features_added: '--add-features',
  features_removed: '--remove-features',
  first_name: '--first-name',
  identity_proof: '--identity-proof',
  last_name: '--last-name',
  phone: '--phone',
  postal_address: '--postal-address',
  prices: '--price',
  public_key: '<public-key>',
  received_on: '--received',
  representative: '--representative',
  site_url: '--site-url',
  trial_days: '--trial-days',
  yank_reason: '--reason',
};

/** The line of a refusal. A value that no record can have is wrong usage; one that another record has is not. */
export function toCliError(error: DomainError | ApiError): CliError {
  const line = describeRefusal(error);
  if (!isUsageError(error)) return new CliError(line);
  return new CliError(
    line.replace(/\w+/g, (word) => OPTIONS[word] ?? word),
    2,
  );
}

function isUsageError(error: DomainError | ApiError): boolean {
  if (error instanceof InvalidFieldError)
    return !(error instanceof TakenError) && !FILE_FIELDS.has(error.field);
  if (!(error instanceof ApiError) || error.code !== 'rest_invalid_param') return false;
  const params = readParams(error);
  return !params || Object.keys(params).some((field) => !FILE_FIELDS.has(field));
}

/** The reasons for the parameters are more specific than the message. */
function describeRefusal(error: DomainError | ApiError): string {
  const params = readParams(error);
  return params ? Object.values(params).join(' ') : error.message;
}

const readParams = ({ details }: DomainError | ApiError): Record<string, string> | undefined =>
  (details as { params?: Record<string, string> }).params;
