import type { ServiceModule } from '../runtime/service-module.ts';
import { createRedemptionService, type RedemptionDeps, type RedemptionService } from './redemption-service.ts';

export interface PaymentServices {
  readonly redemptions: RedemptionService;
}

export function createPaymentsModule(deps: RedemptionDeps): ServiceModule<PaymentServices> {
  return { services: { redemptions: createRedemptionService(deps) } };
}
