package dev.doyen.stores.azureblob;

import com.azure.core.exception.AzureException;
import com.azure.core.util.BinaryData;
import com.azure.core.util.Context;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.models.BlobDownloadHeaders;
import com.azure.storage.blob.models.BlobErrorCode;
import com.azure.storage.blob.models.BlobHttpHeaders;
import com.azure.storage.blob.models.BlobRequestConditions;
import com.azure.storage.blob.models.BlobStorageException;
import com.azure.storage.blob.models.DownloadRetryOptions;
import com.azure.storage.blob.options.BlockBlobSimpleUploadOptions;
import com.azure.storage.blob.specialized.BlockBlobClient;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.UnreadableRecordException;
import dev.doyen.stores.objects.ConditionalObjects;
import dev.doyen.stores.objects.ObjectContent;
import dev.doyen.stores.objects.PutOutcome;
import dev.doyen.stores.objects.StoredObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The blobs of one container, written by conditional Put Blob ({@code If-None-Match: *}, {@code If-Match: ETag}).
 *
 * <p>Azure's answers mean the following:
 *
 * <ul>
 *   <li>412 and 409: either the condition did not hold, or another client has an Azure lease on the blob. A read of
 *   the blob shows which of these two reasons applies.
 *   <li>404 for a blob: the blob does not exist.
 *   <li>No answer, 403, 5xx, and 404 for a container: the outcome is unknown.
 * </ul>
 */
final class BlobObjects implements ConditionalObjects {

    static final LeaseStore.Promises PROMISES = new LeaseStore.Promises(
            true,
            false,
            "the storage account's primary region",
            List.of(
                    "a deleted blob is an election that starts again at term 1",
                    "with blob versioning or soft delete each renewal keeps the version before it: "
                            + "let a lifecycle rule delete versions after a day",
                    "after a fail-over of a geo-redundant account the last terms may be missing"));

    private final BlobContainerClient container;
    private final Duration timeout;

    BlobObjects(BlobContainerClient container, Duration timeout) {
        this.container = container;
        this.timeout = timeout;
    }

    @Override
    public Optional<StoredObject> get(String key, int maxBytes) {
        var bytes = new Bounded(maxBytes);
        try {
            BlobDownloadHeaders headers = blob(key)
                    .downloadStreamWithResponse(
                            bytes,
                            null,
                            new DownloadRetryOptions().setMaxRetryRequests(0),
                            null,
                            false,
                            timeout,
                            Context.NONE)
                    .getDeserializedHeaders();
            String mediaType = Objects.requireNonNullElse(headers.getContentType(), "application/octet-stream");
            Map<String, String> metadata = Objects.requireNonNullElse(headers.getMetadata(), Map.of());
            return Optional.of(new StoredObject(
                    tag(headers.getETag()), ObjectContent.of(bytes.toByteArray(), mediaType, metadata)));
        } catch (BlobStorageException e) {
            if (isNoSuchBlob(e)) {
                return Optional.empty();
            }
            String what = "the blob " + key + " cannot be read: ";
            throw lacksRight(e)
                    ? new StoreRefusedException(what + answer(e), remedy(), e)
                    : new StoreUnavailableException(what + sentence(e), e);
        } catch (StoreUnavailableException e) {
            throw e;
        } catch (RuntimeException e) {
            // For network faults the SDK throws AzureException, UncheckedIOException or IllegalStateException.
            String what = "the blob " + key + " cannot be read: ";
            throw bytes.isFull()
                    ? new UnreadableRecordException(what + "it is larger than " + maxBytes + " bytes", e)
                    : new StoreUnavailableException(what + brief(e), e);
        }
    }

    @Override
    public PutOutcome put(String key, ObjectContent content, Optional<String> ifTag) {
        var condition = new BlobRequestConditions();
        ifTag.ifPresentOrElse(condition::setIfMatch, () -> condition.setIfNoneMatch("*"));
        var options = new BlockBlobSimpleUploadOptions(BinaryData.fromBytes(content.bytes()))
                .setHeaders(new BlobHttpHeaders().setContentType(content.mediaType()))
                .setMetadata(content.metadata())
                .setRequestConditions(condition);
        try {
            return new PutOutcome.Stored(tag(blob(key)
                    .uploadWithResponse(options, timeout, Context.NONE)
                    .getValue()
                    .getETag()));
        } catch (BlobStorageException e) {
            boolean refused = e.getStatusCode() == 412 || e.getStatusCode() == 409 || isNoSuchBlob(e);
            return refused ? new PutOutcome.Refused(sentence(e)) : new PutOutcome.Unknown(sentence(e), lacksRight(e));
        } catch (RuntimeException e) {
            return new PutOutcome.Unknown(brief(e));
        }
    }

    /** Does nothing. The client uses the JDK's HTTP client, which closes idle connections itself. */
    @Override
    public void close() {}

    private BlockBlobClient blob(String key) {
        return container.getBlobClient(key).getBlockBlobClient();
    }

    private static String tag(String etag) {
        if (etag == null || etag.isEmpty()) {
            throw new StoreUnavailableException("the service returned no ETag, so it cannot store leases");
        }
        return etag;
    }

    /**
     * Returns true if the error code reports that the blob does not exist. The status 404 alone is not sufficient,
     * because a proxy can also answer 404. If the store trusted that answer, it would treat an existing blob as absent,
     * and terms would start again at 1.
     */
    private static boolean isNoSuchBlob(BlobStorageException e) {
        return e.getStatusCode() == 404 && BlobErrorCode.BLOB_NOT_FOUND.equals(e.getErrorCode());
    }

    private static boolean lacksRight(BlobStorageException e) {
        return e.getStatusCode() == 401 || e.getStatusCode() == 403;
    }

    private static String answer(BlobStorageException e) {
        return "Azure answered " + e.getStatusCode() + " "
                + (e.getErrorCode() == null ? "without a code" : e.getErrorCode());
    }

    private String remedy() {
        return "the credentials need to read and write blobs in container \"" + container.getBlobContainerName() + "\"";
    }

    private String sentence(BlobStorageException e) {
        if (lacksRight(e)) {
            return answer(e) + "; " + remedy();
        }
        return BlobErrorCode.CONTAINER_NOT_FOUND.equals(e.getErrorCode())
                ? answer(e) + "; create the container \"" + container.getBlobContainerName() + "\" first"
                : answer(e);
    }

    /**
     * Returns the class and the beginning of the message of the relevant cause.
     *
     * <p>The relevant cause is the first {@link IOException} or {@link AzureException} in the chain of causes, or else
     * the root cause. The method removes the part of a URL after the question mark, because that part can contain a
     * signature.
     */
    private static String brief(RuntimeException e) {
        Throwable cause = e;
        while (cause.getCause() != null && !(cause instanceof IOException) && !(cause instanceof AzureException)) {
            cause = cause.getCause();
        }
        String message = String.valueOf(cause.getMessage()).replaceAll("\\?\\S*", "?...");
        return cause.getClass().getSimpleName() + ": "
                + (message.length() > 300 ? message.substring(0, 300) + "..." : message);
    }

    /** Collects bytes up to a limit. */
    private static final class Bounded extends OutputStream {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final int max;
        private boolean full;

        Bounded(int max) {
            this.max = max;
        }

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int length) throws IOException {
            full |= bytes.size() + length > max;
            if (full) {
                throw new IOException("larger than " + max + " bytes");
            }
            bytes.write(from, offset, length);
        }

        boolean isFull() {
            return full;
        }

        byte[] toByteArray() {
            return bytes.toByteArray();
        }
    }
}
