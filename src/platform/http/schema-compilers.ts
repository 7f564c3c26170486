import AjvCompiler from '@fastify/ajv-compiler';
import SerializerSelector from '@fastify/fast-json-stringify-compiler';

type Validate = ((data: unknown) => boolean) & { errors?: unknown };

/** Fastify's compilers of schemas, at the first request to a route instead of at the start, of which they were a sixth. */
export const schemaCompilers = {
  buildValidator(...given: unknown[]) {
    const compile = AjvCompiler()(...(given as [never, never]));
    return (route: object) => {
      let compiled: Validate | undefined;
      const validate: Validate = (data) => {
        compiled ??= compile(route) as Validate;
        const isValid = compiled(data);
        validate.errors = compiled.errors;
        return isValid;
      };
      return validate as never;
    };
  },
  buildSerializer(...given: unknown[]) {
    const compile = SerializerSelector()(...(given as [never, never]));
    return (route: object) => {
      let serialize: ((data: unknown) => string) | undefined;
      return (data: unknown) => {
        serialize ??= compile(route as never);
        return serialize(data);
      };
    };
  },
};
