import { expectedImageTokens, imageOrder } from '../../../pricing/images.ts';
import type { RequestBody } from '../../body/request-body.ts';
import { type CallMeasure, heldPromptTokens, mostPromptTokens } from '../shared/measure.ts';
import { mostOrdered, textField } from './fields.ts';

/** The order for images by which the call is priced. */
export function measureImages(body: RequestBody, model: string): CallMeasure {
  // DashScope takes a star, too; a size costs the same however it is written.
  const size = textField(body, 'size')?.toLowerCase().replaceAll('*', 'x') || undefined;
  const quality = textField(body, 'quality') || undefined;
  // In a form it is a text.
  const extended = String(body.get('prompt_extend')) === 'true';
  const images = imageOrder(model, { count: mostOrdered(body), size, quality, extended });
  return {
    promptTokens: heldPromptTokens(body, model),
    mostPromptTokens: mostPromptTokens(body),
    outputTokens: expectedImageTokens(model, images) ?? 0,
    images,
  };
}
