/**
 * The schemas that stand directly in a JSON schema: of its properties, its definitions, its items,
 * its alternatives.
 */
import { isObject } from '../../kernel/json.ts';
import { type Loose, recordOf, recordsOf } from './read-json.ts';

export function propertiesOf(schema: Loose): Loose {
  return recordOf(schema.properties) ?? {};
}

export function definitionsOf(schema: Loose): Loose {
  return { ...recordOf(schema.definitions), ...recordOf(schema.$defs) };
}

export function innerSchemas(schema: Loose): readonly Loose[] {
  const named = [propertiesOf(schema), definitionsOf(schema)].flatMap((schemas) =>
    Object.values(schemas),
  );
  const lists = [schema.anyOf, schema.oneOf, schema.allOf, schema.items].flatMap(recordsOf);
  return [...named, schema.items].filter(isObject).concat(lists);
}
