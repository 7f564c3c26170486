import {
  ApiError,
  CliError,
  type DomainError,
  InvalidFieldError,
  TakenError,
} from '../platform/errors.ts';

/** Fields with the content of a file: one that cannot be used is not wrong usage. */
const FILE_FIELDS = new Set(['consent', 'content', 'csv', 'file', 'sbom', 'signature']);

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
  yank_reason: '--reason',
};

/** The line of a refusal. A value that no record can have is wrong usage; one that another record has is not. */
export function toCliError(error: DomainError | ApiError): CliError {
  const isInvalid =
    error instanceof InvalidFieldError &&
    !(error instanceof TakenError) &&
    !FILE_FIELDS.has(error.field);
  const isUsage = isInvalid || (error instanceof ApiError && error.code === 'rest_invalid_param');
  const line = describeRefusal(error);
  if (!isUsage) return new CliError(line);
  return new CliError(
    line.replace(/\w+/g, (word) => OPTIONS[word] ?? word),
    2,
  );
}

/** The reasons for the parameters are more specific than the message. */
function describeRefusal({ message, details }: DomainError | ApiError): string {
  const { params } = details as { params?: Record<string, string> };
  return params ? Object.values(params).join(' ') : message;
}
