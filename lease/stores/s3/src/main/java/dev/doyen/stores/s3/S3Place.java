package dev.doyen.stores.s3;

import dev.doyen.store.StoreUnavailableException;
import dev.doyen.stores.objects.ObjectUrl;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * The location of leases in S3, parsed from {@code s3://bucket/prefix?name=value&...}.
 *
 * <p>The parameter {@code endpoint} is the URL of a server other than AWS. The default of {@code region} is us-east-1
 * if an endpoint is given; otherwise the default is the region that the SDK finds. {@code path-style=true} is for
 * servers that have no host name for each bucket. {@code timeout-millis} is the limit for one request in
 * milliseconds, by default 2000. The SDK's default chain of providers finds the credentials.
 *
 * @param prefix the beginning of all keys: empty, or with a trailing slash
 */
record S3Place(
        String bucket,
        String prefix,
        Optional<URI> endpoint,
        Optional<Region> region,
        boolean pathStyle,
        Duration timeout) {

    static final String SCHEME = "s3";

    private static final int MAX_CONNECTIONS = 32;

    /**
     * Parses a URL.
     *
     * @throws IllegalArgumentException if the URL is invalid
     */
    static S3Place of(String url) {
        ObjectUrl parsed = ObjectUrl.parse(SCHEME, url, Set.of("region", "path-style"));
        Optional<Region> region = parsed.parameter("region").map(S3Place::region);
        return new S3Place(
                parsed.container(),
                parsed.prefix(),
                parsed.endpoint(),
                parsed.endpoint().isPresent() ? region.or(() -> Optional.of(Region.US_EAST_1)) : region,
                parsed.flag("path-style"),
                parsed.timeout());
    }

    /** Connects to the server, and finds out whether the server compares ETags with their quotes. */
    S3Objects open() {
        S3Client client;
        try {
            client = client();
        } catch (SdkException e) {
            throw new StoreUnavailableException(
                    "S3 cannot be reached: " + S3Objects.brief(e) + "; give the region as ?region=NAME or AWS_REGION",
                    e);
        }
        var objects = new S3Objects(client, bucket);
        try {
            objects.learnTagForm(prefix);
            return objects;
        } catch (RuntimeException e) {
            objects.close();
            throw e;
        }
    }

    /**
     * Returns a client that does not retry requests. If the client retried a successful write, the server would refuse
     * the second copy, and the store would report a conflict.
     */
    private S3Client client() {
        var builder = S3Client.builder()
                .httpClientBuilder(Apache5HttpClient.builder()
                        .maxConnections(MAX_CONNECTIONS)
                        .connectionTimeout(timeout)
                        .connectionAcquisitionTimeout(timeout)
                        .socketTimeout(timeout))
                .overrideConfiguration(override -> override.retryStrategy(AwsRetryStrategy.doNotRetry())
                        .apiCallTimeout(timeout)
                        .apiCallAttemptTimeout(timeout))
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                .serviceConfiguration(service -> service.chunkedEncodingEnabled(false))
                .forcePathStyle(pathStyle);
        region.ifPresent(builder::region);
        endpoint.ifPresent(builder::endpointOverride);
        return builder.build();
    }

    private static Region region(String name) {
        if (!name.matches("[a-z0-9-]{1,40}")) {
            throw new IllegalArgumentException("parameter region is not the name of a region; give one like eu-west-1");
        }
        return Region.of(name);
    }
}
