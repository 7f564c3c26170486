import type { JsonSchema } from '../http/schemas.ts';

export type Schema = JsonSchema;

/** The parts of our OpenAPI 3.1 documents that the reference shows. */
export interface OpenApi {
  info: { title: string; version: string; description: string };
  servers: [{ url: string }];
  tags: { name: string; 'x-displayName'?: string; description: string }[];
  components: { securitySchemes: Record<string, SecurityScheme> };
  paths: Record<string, Record<string, Operation>>;
}

export interface SecurityScheme {
  type: string;
  scheme?: string;
  in?: string;
  name?: string;
  description: string;
}

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: [string];
  /** Alternatives, each with the names of its schemes; none for public operations. */
  security: Record<string, unknown>[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, Answer>;
}

export interface Answer {
  description: string;
  content?: Content;
}

export interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
}

type Content = Record<string, { schema: Schema; example?: unknown }>;

export interface Call {
  method: string;
  path: string;
  operation: Operation;
}

/** The operations of one tag. */
export interface Chapter {
  /** Its part of the path. */
  name: string;
  title: string;
  description: string;
  calls: Call[];
}

export const listChapters = ({ tags, paths }: OpenApi): Chapter[] => {
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
  return tags.map((tag) => ({
    name: tag.name.toLowerCase(),
    title: tag['x-displayName'] ?? tag.name,
    description: tag.description,
    calls: calls.filter(({ operation }) => operation.tags[0] === tag.name),
  }));
};
