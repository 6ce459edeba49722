package dev.doyen.stores.azureblob;

import com.azure.core.credential.TokenCredential;
import com.azure.core.http.jdk.httpclient.JdkHttpClientProvider;
import com.azure.identity.DefaultAzureCredentialBuilder;

/**
 * Provides Azure's default credential. This code has its own class, because the JVM can load the class only if
 * azure-identity is on the class path.
 */
final class DefaultIdentity {

    private DefaultIdentity() {}

    static TokenCredential credential() {
        return new DefaultAzureCredentialBuilder()
                .httpClient(new JdkHttpClientProvider().createInstance())
                .build();
    }
}
