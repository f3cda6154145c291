/**
 * The OIDC panel, with a button that reads the provider's endpoints from its discovery document.
 */
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { PanelId } from '../../../core/options/facts.ts';
import { client } from '../../client/api.ts';
import { toastProblem, toastSuccess } from '../../client/failures.ts';
import { OptionPanel } from '../../form/option-panel.tsx';
import type { OptionForm } from '../../form/use-option-form.ts';
import { useTranslation } from '../../i18n/index.ts';

interface OidcSectionProps {
  readonly panel: PanelId;
  readonly form: OptionForm;
}

export function OidcSection({ panel, form }: OidcSectionProps) {
  return (
    <OptionPanel
      panel={panel}
      form={form}
      below={(option) =>
        option === 'oidc.well_known' ? <DiscoveryButton form={form} /> : undefined
      }
    />
  );
}

/** Fills the endpoints in; they are saved with the rest of the form. */
function DiscoveryButton({ form }: { readonly form: OptionForm }) {
  const { t } = useTranslation();
  const address = form.text('oidc.well_known').trim();
  const discovery = useMutation({
    mutationFn: (wellKnown: string) => client.option.oidcDiscovery({ well_known: wellKnown }),
    onSuccess: (found, wellKnown) => {
      // Another address was typed meanwhile.
      if (wellKnown !== address) return;
      form.set('oidc.authorization_endpoint', found.authorization_endpoint);
      form.set('oidc.token_endpoint', found.token_endpoint);
      form.set('oidc.user_info_endpoint', found.userinfo_endpoint);
      toastSuccess(t('setting.oidc.found'));
    },
  });
  const discover = () => {
    if (/^https?:\/\//i.test(address)) discovery.mutate(address);
    else toastProblem(t('setting.oidc.scheme'));
  };
  return (
    <Button
      variant="default"
      size="xs"
      mt={8}
      disabled={address === ''}
      loading={discovery.isPending}
      onClick={discover}
    >
      {t('setting.oidc.discover')}
    </Button>
  );
}
