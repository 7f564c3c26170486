import { Type } from 'typebox';
import { OneOf, Text } from '../../../platform/http/schemas.ts';

export const ReceiptQuery = Type.Object({
  visitor_id: Text(128, {
    description:
      'The visitor id of the choice. Only ids that cannot be guessed have receipts: version 4 UUIDs, and ids that the banner generated.',
  }),
  id: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'The consent record. Default: the newest of the visitor.',
    }),
  ),
  format: OneOf(['html', 'proof'], {
    default: 'html',
    description: 'A page with the proof in it, or the proof alone (C2SP tlog-proof).',
  }),
  language: Type.Optional(
    Text(35, {
      description: 'Of the page, `en` or `de`. Default: the language of the banner that was shown.',
    }),
  ),
});

export const ReceiptProof = Type.String({
  contentMediaType: 'text/html',
  description: 'The receipt as a file. See docs/guides/receipts.md.',
});
