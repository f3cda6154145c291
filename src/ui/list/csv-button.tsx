/** Saves what a list shows as a table. */
import { ActionIcon, Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { FileOutput } from '../../core/contract/endpoint.ts';
import { toastFailure } from '../client/failures.ts';
import { usePhone } from '../hooks/use-phone.ts';

export interface CsvButtonProps {
  readonly label: string;
  /** Heading of the message when it could not be saved. */
  readonly failed: string;
  readonly onExport: () => Promise<FileOutput>;
}

export function CsvButton({ label, failed, onExport }: CsvButtonProps) {
  const phone = usePhone();
  const csv = useMutation({
    mutationFn: async () => {
      const { saveFile } = await import('../client/save-file.ts');
      await saveFile(await onExport());
    },
    meta: { quiet: true },
    onError: (failure) => toastFailure(failure, failed),
  });
  const icon = <Download size={16} strokeWidth={1.75} />;
  const common = { variant: 'default', loading: csv.isPending, onClick: () => csv.mutate() };
  return phone ? (
    <ActionIcon {...common} size={44} aria-label={label}>
      {icon}
    </ActionIcon>
  ) : (
    <Button {...common} leftSection={icon}>
      {label}
    </Button>
  );
}
