/**
 * What a field of the signed-in user is where an earlier release did not store it. The build puts
 * the values in place of this module.
 */
import { defaultInput } from '../../core/entities/convert.ts';
import type { Field } from '../../core/entities/field.ts';
import { signedInUserFields } from '../../core/entities/user.ts';

export const signedInDefaults: Readonly<Record<string, string | number | boolean>> =
  Object.fromEntries(
    Object.entries<Field>(signedInUserFields).map(([name, field]) => [name, defaultInput(field)]),
  );
