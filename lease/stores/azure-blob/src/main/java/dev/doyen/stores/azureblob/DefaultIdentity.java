package dev.doyen.stores.azureblob;

import com.azure.core.credential.TokenCredential;
import com.azure.core.http.jdk.httpclient.JdkHttpClientProvider;
import com.azure.identity.DefaultAzureCredentialBuilder;

/** Azure's default credential. A separate class, because it loads only if azure-identity is present. */
final class DefaultIdentity {

    private DefaultIdentity() {}

    static TokenCredential credential() {
        return new DefaultAzureCredentialBuilder()
                .httpClient(new JdkHttpClientProvider().createInstance())
                .build();
    }
}
