import {
  Button,
  FileButton,
  Group,
  Image,
  Input,
  NativeSelect,
  Stack,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Static } from 'typebox';
import type * as schemas from '../../../../src/licensing/branding/schemas.ts';
import { getTagged, putTagged } from '../../api/client.ts';
import { EditForm, type Saving } from '../../components/form.tsx';
import { Page } from '../../components/page.tsx';
import { QueryResult } from '../../components/states.tsx';
import { NoLicences } from '../licences/no-licences.tsx';
import { ADMIN_PATH } from '../licences/queries.ts';

type Brand = Static<typeof schemas.BrandRecord>;

const BRANDING = `${ADMIN_PATH}/branding`;
const LOGO_TYPES = 'image/png,image/jpeg,image/webp,image/svg+xml';
/** The default of the stylesheet. */
const DEFAULT_COLOR = '#14213d';
/** A data URL is a third longer than its file. */
const LOGO_MAX_BYTES = 70_000;

const brandQuery = queryOptions({
  queryKey: ['desk', 'branding'],
  async queryFn() {
    const { value, etag } = await getTagged<Brand>(BRANDING);
    return { ...value, etag };
  },
});

type Fields = { [Name in keyof Brand]: string };

const toFields = (brand: Brand): Fields => ({
  name: brand.name ?? '',
  support_url: brand.support_url?.replace(/^mailto:/, '') ?? '',
  color: brand.color ?? '',
  logo: brand.logo ?? '',
  language: brand.language ?? 'en',
});

/** Adds `mailto:` to an email address. */
const toSupportUrl = (text: string): string =>
  /^[^\s@:/]+@[^\s@:/]+$/.test(text) ? `mailto:${text}` : text;

const toBody = (fields: Fields) => ({
  name: fields.name.trim() || null,
  support_url: toSupportUrl(fields.support_url.trim()) || null,
  color: fields.color || null,
  logo: fields.logo || null,
  language: fields.language || null,
});

/** How the seller of the licences appears to customers. */
export function Branding() {
  const brand = useQuery(brandQuery);
  return (
    <Page
      title="Branding"
      intro="How you appear to your customers, on the pages under /account/ and in emails about licences."
      back={{ to: '/products', label: 'Products' }}
    >
      <QueryResult query={brand} lines={8} absent={<NoLicences />}>
        {({ etag, ...data }) => (
          <BrandForm
            initial={toFields(data)}
            etag={etag}
            send={async (fields, _, tag) =>
              (await putTagged<Brand>(BRANDING, toBody(fields), tag)).value
            }
          />
        )}
      </QueryResult>
    </Page>
  );
}

function BrandForm(saving: Saving<Fields, Brand>) {
  const form = useForm<Fields>({
    initialValues: saving.initial,
    validate: {
      support_url: (value) =>
        !value.trim() || /^(https?:\/\/|mailto:.+@).+/.test(toSupportUrl(value.trim()))
          ? null
          : 'Enter an email address, or a full address with https://.',
      color: (value) =>
        !value || /^#[0-9a-f]{6}$/i.test(value) ? null : 'Enter a colour such as #0f766e.',
    },
  });
  return (
    <EditForm {...saving} form={form} stale={[['desk', 'branding']]}>
      <TextInput
        label="Your name"
        description="In the header of pages and emails"
        placeholder="Forms Ltd"
        {...form.getInputProps('name')}
      />
      <TextInput
        label="Help"
        description="An email address, or a page where customers get help"
        placeholder="help@example.com"
        {...form.getInputProps('support_url')}
      />
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <Input
          type="color"
          aria-label="Colour picker: colour of buttons"
          w={48}
          flex="none"
          value={form.values.color || DEFAULT_COLOR}
          onChange={({ currentTarget }) => form.setFieldValue('color', currentTarget.value)}
        />
        <TextInput
          flex={1}
          label="Colour of buttons"
          description="The text on buttons is black or white, whichever is easier to read"
          placeholder={`${DEFAULT_COLOR} (default)`}
          spellCheck={false}
          {...form.getInputProps('color')}
        />
      </Group>
      <Logo
        value={form.values.logo}
        error={form.errors.logo}
        onChange={(logo) => form.setFieldValue('logo', logo)}
        onError={(message) => form.setFieldError('logo', message)}
      />
      <NativeSelect
        label="Language"
        description="Of emails, and of pages for browsers that prefer neither English nor German"
        data={[
          { value: 'en', label: 'English' },
          { value: 'de', label: 'German' },
        ]}
        {...form.getInputProps('language')}
      />
    </EditForm>
  );
}

interface LogoProps {
  /** A data URL; empty for none. */
  value: string;
  error: React.ReactNode;
  onChange: (value: string) => void;
  onError: (message: string) => void;
}

function Logo({ value, error, onChange, onError }: LogoProps) {
  async function read(file: File | null) {
    if (!file) return;
    if (file.size > LOGO_MAX_BYTES) {
      onError('The picture is larger than 70 KB. Choose a smaller one.');
      return;
    }
    onChange(await readDataUrl(file));
  }
  return (
    <Input.Wrapper
      component="div"
      role="group"
      aria-label="Logo"
      label="Logo"
      labelElement="div"
      description="PNG, JPEG, WebP or SVG, at most 70 KB. Shown 40 pixels high on pages"
      error={error}
    >
      <Stack gap="xs" mt="xs" align="flex-start">
        {value && <Image src={value} alt="Your logo" h={40} w="auto" maw={160} fit="contain" />}
        <Group gap="xs">
          <FileButton onChange={read} accept={LOGO_TYPES}>
            {(props) => (
              <Button variant="default" {...props}>
                {value ? 'Choose another logo' : 'Choose a logo'}
              </Button>
            )}
          </FileButton>
          {value && (
            <Button variant="subtle" onClick={() => onChange('')}>
              Remove logo
            </Button>
          )}
        </Group>
      </Stack>
    </Input.Wrapper>
  );
}

function readDataUrl(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result));
  reader.onerror = () => reject(reader.error);
  reader.readAsDataURL(file);
  return promise;
}
