import { AppError } from '../../../kernel/errors.ts';

/**
 * An order that is refused in the words of other gateways of midjourney-proxy, which clients match:
 * `prompt_is_required`.
 */
export class DrawingRefusal extends AppError {
  constructor(text: string) {
    super('drawing_refused', { detail: text });
  }
}
