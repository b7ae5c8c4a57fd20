import { FormData } from 'undici';
import { assertNever } from '../../domain/assert-never';
import type { MarketplaceSettings } from '../account';
import type { Api, ApiBody } from '../api';
import type { ListingImage, Marketplace } from '../marketplace';
import { base64ImageSchema, urlImagesSchema } from '../schemas/images';

/** The payload of the upload is not shown: a multipart field `file`, unless the account says otherwise. */
function toImageBody(image: ListingImage, payload: MarketplaceSettings['imagePayload']): ApiBody {
  const { fileName, contentType, bytes } = image;
  switch (payload) {
    case 'multipart': {
      const form = new FormData();
      form.append('file', new Blob([Uint8Array.from(bytes)], { type: contentType }), fileName);
      return { kind: 'multipart', form };
    }
    case 'base64': {
      const content = Buffer.from(bytes).toString('base64');
      return { kind: 'json', schema: base64ImageSchema, value: { fileName, contentType, content } };
    }
    case 'url': {
      const url = `data:${contentType};base64,${Buffer.from(bytes).toString('base64')}`;
      return { kind: 'json', schema: urlImagesSchema, value: { urls: [url] } };
    }
    default:
      return assertNever(payload);
  }
}

/** Contract: `POST /v2/listings/{listingid}/images`; any 2xx is success. */
export function createImageCalls(
  api: Api,
  { imagePayload }: MarketplaceSettings,
): Pick<Marketplace, 'uploadListingImage'> {
  return {
    async uploadListingImage(image, call) {
      await api.call(
        {
          operation: 'uploadListingImage',
          method: 'POST',
          path: '/v2/listings/{listingId}/images',
          params: { listingId: image.listingId },
          body: toImageBody(image, imagePayload),
        },
        call,
      );
    },
  };
}
