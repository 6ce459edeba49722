package dev.doyen.stores.azureblob;

import com.azure.core.http.jdk.httpclient.JdkHttpClientBuilder;
import com.azure.storage.blob.BlobContainerClient;
import com.azure.storage.blob.BlobServiceClientBuilder;
import com.azure.storage.common.StorageSharedKeyCredential;
import com.azure.storage.common.policy.RequestRetryOptions;
import com.azure.storage.common.policy.RetryPolicyType;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.stores.objects.ConditionalObjects;
import dev.doyen.stores.objects.ObjectUrl;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The location of leases in Azure Blob Storage, parsed from {@code azblob://container/prefix?name=value&...}.
 *
 * <p>The default of the parameter {@code account} is the value of the environment variable
 * {@code AZURE_STORAGE_ACCOUNT}. The parameter {@code endpoint} replaces
 * {@code https://ACCOUNT.blob.core.windows.net}. {@code timeout-millis} is the limit for one request in milliseconds,
 * by default 2000. The credentials come from the first environment variable that is set among
 * {@code AZURE_STORAGE_CONNECTION_STRING}, {@code AZURE_STORAGE_KEY} and {@code AZURE_STORAGE_SAS_TOKEN}. If none of
 * the three is set, the store uses Azure's default credential, which requires {@code azure-identity} on the class
 * path.
 *
 * @param prefix the beginning of all blob names: empty, or with a trailing slash
 * @param environment the environment variables with the credentials; no message repeats their values
 */
record BlobPlace(
        String container,
        String prefix,
        Optional<String> account,
        Optional<URI> endpoint,
        Duration timeout,
        Map<String, String> environment) {

    static final String SCHEME = "azblob";

    /** The shortest timeout that the SDK accepts in its retry options. */
    private static final Duration MIN_OF_SDK = Duration.ofSeconds(1);

    private static final String CONNECTION_STRING = "AZURE_STORAGE_CONNECTION_STRING";
    private static final String KEY = "AZURE_STORAGE_KEY";
    private static final String SAS = "AZURE_STORAGE_SAS_TOKEN";

    /**
     * Parses a URL.
     *
     * @throws IllegalArgumentException if the URL is invalid
     */
    static BlobPlace of(String url, Map<String, String> environment) {
        ObjectUrl parsed = ObjectUrl.parse(SCHEME, url, Set.of("account"));
        if (parsed.container().contains(".")) {
            throw new IllegalArgumentException(
                    "a container of Azure has no dots in its name: \"" + parsed.container() + "\"; use hyphens");
        }
        Optional<String> account = parsed.parameter("account").or(() -> given(environment, "AZURE_STORAGE_ACCOUNT"));
        account.ifPresent(name -> {
            if (!name.matches("[a-z0-9]{3,24}")) {
                throw new IllegalArgumentException(
                        "the storage account's name is not 3 to 24 lower-case letters and digits; "
                                + "give it as ?account=NAME or AZURE_STORAGE_ACCOUNT");
            }
        });
        return new BlobPlace(
                parsed.container(), parsed.prefix(), account, parsed.endpoint(), parsed.timeout(), environment);
    }

    /**
     * Creates a client.
     *
     * @throws StoreUnavailableException if the account or the credentials are missing or malformed
     */
    ConditionalObjects open() {
        return new BlobObjects(client(), timeout);
    }

    /**
     * Returns a client that does not retry requests. If the client retried a successful write, the service would refuse
     * the second copy, and the store would need another request to detect the success.
     *
     * <p>The timeout in the options is at least one second, because the SDK rejects a shorter one. {@link BlobObjects}
     * passes the exact timeout with each request.
     */
    BlobContainerClient client() {
        Duration atLeastOneSecond = timeout.compareTo(MIN_OF_SDK) < 0 ? MIN_OF_SDK : timeout;
        var builder = new BlobServiceClientBuilder()
                .httpClient(
                        new JdkHttpClientBuilder().connectionTimeout(timeout).build())
                .retryOptions(new RequestRetryOptions(RetryPolicyType.FIXED, 1, atLeastOneSecond, null, null, null));
        try {
            Optional<String> connection = given(environment, CONNECTION_STRING);
            if (connection.isPresent()) {
                builder.connectionString(connection.get());
                endpoint.ifPresent(uri -> builder.endpoint(uri.toString()));
            } else {
                builder.endpoint(endpoint.map(URI::toString)
                        .orElseGet(() -> "https://" + neededAccount() + ".blob.core.windows.net"));
                authenticate(builder);
            }
            return builder.buildClient().getBlobContainerClient(container);
        } catch (IllegalArgumentException | IllegalStateException e) {
            // The exception has no cause, because the cause's message can repeat the connection string.
            throw new StoreUnavailableException("Azure Blob Storage cannot be reached: " + CONNECTION_STRING + ", "
                    + KEY + ", " + SAS + " or the endpoint is not one that Azure issues ("
                    + e.getClass().getSimpleName() + ")");
        }
    }

    private void authenticate(BlobServiceClientBuilder builder) {
        Optional<String> key = given(environment, KEY);
        Optional<String> sas = given(environment, SAS);
        if (key.isPresent()) {
            builder.credential(new StorageSharedKeyCredential(neededAccount(), key.get()));
        } else if (sas.isPresent()) {
            builder.sasToken(sas.get());
        } else if (identityIsThere()) {
            builder.credential(DefaultIdentity.credential());
        } else {
            throw new StoreUnavailableException("no credentials for Azure Blob Storage: set " + CONNECTION_STRING + ", "
                    + KEY + " or " + SAS + ", or put com.azure:azure-identity on the class path");
        }
    }

    private String neededAccount() {
        return account.orElseThrow(() -> new StoreUnavailableException(
                "no storage account is named: give it as ?account=NAME or AZURE_STORAGE_ACCOUNT, or set "
                        + CONNECTION_STRING));
    }

    private static boolean identityIsThere() {
        try {
            Class.forName("com.azure.identity.DefaultAzureCredentialBuilder");
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    private static Optional<String> given(Map<String, String> environment, String name) {
        return Optional.ofNullable(environment.get(name)).filter(value -> !value.isEmpty());
    }

    /** Returns the container and the prefix as a URL, without the credentials from the environment. */
    @Override
    public String toString() {
        return SCHEME + "://" + container + "/" + prefix;
    }
}
