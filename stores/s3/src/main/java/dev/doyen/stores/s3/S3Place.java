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
 * Where in S3, and how it is reached: {@code s3://bucket/prefix?name=value&...}.
 *
 * <p>Parameters: {@code endpoint}, another server than AWS; {@code region}, else the SDK's own search, or us-east-1 at
 * another server; {@code path-style=true}, for servers without a host name per bucket; {@code timeout-millis}, 2000
 * unless given, how long one request may take. Credentials are found by the SDK's default chain.
 *
 * @param prefix what keys begin with: empty, or ended by a slash
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

    /** Takes a URL apart. Throws {@link IllegalArgumentException} if it cannot be meant. */
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

    /** Connects, and finds out in which form the server takes ETags. */
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

    /** The SDK sends nothing twice: its retry of a write that was made would be answered as refused. */
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
