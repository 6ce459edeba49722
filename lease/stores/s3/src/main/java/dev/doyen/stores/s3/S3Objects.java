package dev.doyen.stores.s3;

import dev.doyen.store.LeaseStore;
import dev.doyen.store.StoreRefusedException;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.UnreadableRecordException;
import dev.doyen.stores.objects.ConditionalObjects;
import dev.doyen.stores.objects.ObjectContent;
import dev.doyen.stores.objects.PutOutcome;
import dev.doyen.stores.objects.StoredObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;

/**
 * The objects of one bucket, written by conditional PUT ({@code If-None-Match: *}, {@code If-Match: ETag}).
 *
 * <p>S3's answers mean the following:
 *
 * <ul>
 *   <li>412: the condition did not hold.
 *   <li>409: another write was in progress, and this write did not happen.
 *   <li>404 for a key: the object does not exist, or it was deleted in a versioned bucket.
 *   <li>No answer, and every other answer, such as 403, 5xx or 404 for a bucket: the outcome is unknown.
 * </ul>
 */
final class S3Objects implements ConditionalObjects {

    private static final int TAG_FORM_ATTEMPTS = 8;
    private static final int MAX_TAG_PROBE_BYTES = 4096;

    private final S3Client client;
    private final String bucket;
    private volatile boolean tagsWithQuotes = true;

    S3Objects(S3Client client, String bucket) {
        this.client = client;
        this.bucket = bucket;
    }

    @Override
    public Optional<StoredObject> get(String key, int maxBytes) {
        ResponseTransformer<GetObjectResponse, StoredObject> reading = (response, body) -> {
            if (Objects.requireNonNullElse(response.contentLength(), 0L) > maxBytes) {
                body.abort();
                throw new ObjectTooLargeException();
            }
            byte[] bytes = body.readNBytes(maxBytes + 1);
            if (bytes.length > maxBytes) {
                body.abort();
                throw new ObjectTooLargeException();
            }
            String mediaType = Objects.requireNonNullElse(response.contentType(), "application/octet-stream");
            return new StoredObject(tag(response.eTag()), ObjectContent.of(bytes, mediaType, response.metadata()));
        };
        try {
            return Optional.of(client.getObject(get -> get.bucket(bucket).key(key), reading));
        } catch (AwsServiceException e) {
            if (isNoSuchKey(e)) {
                return Optional.empty();
            }
            String what = "the object " + key + " cannot be read: ";
            throw lacksRight(e)
                    ? new StoreRefusedException(what + answer(e), remedy(), e)
                    : new StoreUnavailableException(what + sentence(e), e);
        } catch (SdkException e) {
            String what = "the object " + key + " cannot be read: ";
            throw isTooLarge(e)
                    ? new UnreadableRecordException(what + "it is larger than " + maxBytes + " bytes", e)
                    : new StoreUnavailableException(what + brief(e), e);
        }
    }

    @Override
    public PutOutcome put(String key, ObjectContent content, Optional<String> ifTag) {
        try {
            PutObjectResponse response = client.putObject(
                    put -> {
                        put.bucket(bucket)
                                .key(key)
                                .contentType(content.mediaType())
                                .metadata(content.metadata());
                        ifTag.ifPresentOrElse(tag -> put.ifMatch(inForm(tag)), () -> put.ifNoneMatch("*"));
                    },
                    RequestBody.fromBytes(content.bytes()));
            return new PutOutcome.Stored(tag(response.eTag()));
        } catch (AwsServiceException e) {
            boolean refused = e.statusCode() == 412 || e.statusCode() == 409 || isNoSuchKey(e);
            return refused ? new PutOutcome.Refused(sentence(e)) : new PutOutcome.Unknown(sentence(e), lacksRight(e));
        } catch (SdkException | StoreUnavailableException e) {
            return new PutOutcome.Unknown(brief(e));
        }
    }

    /**
     * Finds out whether the server compares ETags with or without their quotes.
     *
     * <p>In HTTP and S3 the quotes are part of the ETag. Some servers refuse every condition whose ETag has quotes. The
     * method writes to a test object. If other processes write to this object at the same time, the method needs more
     * requests.
     */
    void learnTagForm(String prefix) {
        String key = prefix + "%7Eprobe-tag";
        for (int attempt = 0; attempt < TAG_FORM_ATTEMPTS; attempt++) {
            Optional<StoredObject> before = get(key, MAX_TAG_PROBE_BYTES);
            Optional<String> tag = before.map(StoredObject::tag);
            PutOutcome outcome = put(key, ObjectContent.ofText("probe " + UUID.randomUUID()), tag);
            if (outcome instanceof PutOutcome.Unknown unknown) {
                String what = "the bucket \"" + bucket + "\" cannot be written";
                throw unknown.lacksRight()
                        ? new StoreRefusedException(what, unknown.reason(), null)
                        : new StoreUnavailableException(what + ": " + unknown.reason());
            }
            boolean stillThere =
                    get(key, MAX_TAG_PROBE_BYTES).map(StoredObject::tag).equals(tag);
            if (outcome instanceof PutOutcome.Stored && tag.isPresent()) {
                return;
            }
            if (outcome instanceof PutOutcome.Refused && stillThere) {
                if (!tagsWithQuotes) {
                    break;
                }
                tagsWithQuotes = false;
            }
        }
        throw new StoreUnavailableException(
                "the bucket \"" + bucket + "\" cannot store leases: its server rejects a write "
                        + "with the ETag that it has returned; use a server that honours If-Match");
    }

    LeaseStore.Promises promises() {
        List<String> remarks = new ArrayList<>();
        remarks.add("a deleted object, or one under a delete marker, is an election that starts again at term 1");
        if (isVersioned()) {
            remarks.add("the bucket keeps versions, and each renewal makes one: "
                    + "let a lifecycle rule delete noncurrent versions after a day");
        }
        return new LeaseStore.Promises(true, false, "the bucket's region", remarks);
    }

    @Override
    public void close() {
        client.close();
    }

    private boolean isVersioned() {
        try {
            return client.getBucketVersioning(get -> get.bucket(bucket)).status() == BucketVersioningStatus.ENABLED;
        } catch (SdkException e) {
            // Some accounts can read and write leases but have no right to this request. The result of this request
            // only affects a remark.
            return false;
        }
    }

    private String inForm(String tag) {
        return tagsWithQuotes ? tag : tag.replace("\"", "");
    }

    private static String tag(String etag) {
        if (etag == null || etag.isEmpty()) {
            throw new StoreUnavailableException("the server returned no ETag, so it cannot store leases");
        }
        return etag;
    }

    /**
     * Returns true if the error code reports that the key does not exist. The status 404 alone is not sufficient,
     * because a proxy can also answer 404. If the store trusted that answer, it would treat an existing object as
     * absent, and terms would start again at 1.
     */
    private static boolean isNoSuchKey(AwsServiceException e) {
        return e.statusCode() == 404 && code(e).equals("NoSuchKey");
    }

    private static String code(AwsServiceException e) {
        return e.awsErrorDetails() == null || e.awsErrorDetails().errorCode() == null
                ? "without a code"
                : e.awsErrorDetails().errorCode();
    }

    private static boolean lacksRight(AwsServiceException e) {
        return e.statusCode() == 401 || e.statusCode() == 403;
    }

    private static String answer(AwsServiceException e) {
        return "S3 answered " + e.statusCode() + " " + code(e);
    }

    private String remedy() {
        return "the credentials need s3:GetObject and s3:PutObject on the keys, and s3:ListBucket on bucket \"" + bucket
                + "\", because without it S3 does not report that a key is absent";
    }

    private String sentence(AwsServiceException e) {
        if (lacksRight(e)) {
            return answer(e) + "; " + remedy();
        }
        return code(e).equals("NoSuchBucket") ? answer(e) + "; create the bucket \"" + bucket + "\" first" : answer(e);
    }

    private static boolean isTooLarge(Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof ObjectTooLargeException) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the exception's class and the beginning of its message.
     *
     * <p>Messages of the SDK contain host and file names, but no secret keys.
     */
    static String brief(Throwable e) {
        String message = String.valueOf(e.getMessage());
        return e.getClass().getSimpleName() + ": "
                + (message.length() > 300 ? message.substring(0, 300) + "..." : message);
    }

    private static final class ObjectTooLargeException extends IOException {
        private static final long serialVersionUID = 1L;
    }
}
