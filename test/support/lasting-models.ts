/**
 * What a site learns of models is kept by its process, and a worker runs many files: it ends with
 * the file whose site learned it.
 */
import { knownModels } from '../../src/core/models/known-models.ts';
import { afterEachFile } from './hooks.ts';

afterEachFile(() => knownModels.replaceAdded({ rules: [], rows: [] }));
