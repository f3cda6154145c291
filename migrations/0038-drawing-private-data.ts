import { empty, type Step } from '../src/core/storage/columns.ts';

/**
 * What only the gateway knows of a drawing: the key that submitted it, and what it was charged.
 * Encrypted.
 */
export const drawingPrivateData: Step = async (schema) => {
  await schema.alterTable('midjourneys').addColumn('private_data', 'text', empty).execute();
};
