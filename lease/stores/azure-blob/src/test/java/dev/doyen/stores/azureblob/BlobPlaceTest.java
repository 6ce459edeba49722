package dev.doyen.stores.azureblob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.store.LeaseStore;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.stores.objects.Azurite;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests where the store reads the account and the credentials, and how it reports missing or wrong values. */
class BlobPlaceTest {

    private static final String KEY = "c2VzYW1l";

    @Test
    void the_account_comes_from_the_url_or_the_environment() {
        assertThat(endpoint("azblob://box/p?account=mine", Map.of("AZURE_STORAGE_KEY", KEY)))
                .isEqualTo("https://mine.blob.core.windows.net/box");
        assertThat(endpoint("azblob://box/p", Map.of("AZURE_STORAGE_KEY", KEY, "AZURE_STORAGE_ACCOUNT", "theirs")))
                .isEqualTo("https://theirs.blob.core.windows.net/box");
    }

    @Test
    void a_connection_string_is_sufficient_and_the_endpoint_of_the_url_overrides_it() {
        Map<String, String> environment = Map.of(
                "AZURE_STORAGE_CONNECTION_STRING",
                "DefaultEndpointsProtocol=https;AccountName=mine;AccountKey=" + Azurite.KEY
                        + ";EndpointSuffix=core.windows.net");
        assertThat(endpoint("azblob://box/p", environment)).isEqualTo("https://mine.blob.core.windows.net/box");
        assertThat(endpoint("azblob://box/p?endpoint=http://127.0.0.1:1/mine", environment))
                .isEqualTo("http://127.0.0.1:1/mine/box");
    }

    @Test
    void the_timeout_can_be_shorter_than_one_second() {
        assertThat(endpoint("azblob://box/p?account=mine&timeout-millis=200", Map.of("AZURE_STORAGE_KEY", KEY)))
                .isEqualTo("https://mine.blob.core.windows.net/box");
    }

    @Test
    void a_shared_access_signature_is_sufficient() {
        assertThat(endpoint("azblob://box/p?account=mine", Map.of("AZURE_STORAGE_SAS_TOKEN", "sv=1&sig=sesame")))
                .isEqualTo("https://mine.blob.core.windows.net/box");
    }

    @Test
    void the_default_credential_is_used_if_its_library_is_present() {
        assertThat(endpoint("azblob://box/p?account=mine", Map.of()))
                .isEqualTo("https://mine.blob.core.windows.net/box");
    }

    @Test
    void a_missing_setting_is_reported_with_its_place() {
        assertThatThrownBy(() -> BlobPlace.of("azblob://box/p", Map.of()).open())
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage("no storage account is named: give it as ?account=NAME or AZURE_STORAGE_ACCOUNT, or set "
                        + "AZURE_STORAGE_CONNECTION_STRING");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BlobPlace.of("azblob://box/p?account=No", Map.of()))
                .withMessageContaining("the storage account's name is not 3 to 24");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BlobPlace.of("azblob://my.box/p", Map.of()))
                .withMessageContaining("a container of Azure has no dots");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseStore.open("azblob://box/p?blob-lease=true"))
                .withMessageContaining("no parameter \"blob-lease\"; there is account, endpoint, timeout-millis");
    }

    @Test
    void invalid_credentials_are_reported_and_not_printed() {
        for (Map<String, String> wrong : List.of(
                Map.of("AZURE_STORAGE_CONNECTION_STRING", "AccountKey=sesame"),
                Map.of("AZURE_STORAGE_CONNECTION_STRING", "sesame"))) {
            assertThatThrownBy(() ->
                            BlobPlace.of("azblob://box/p?account=mine", wrong).open())
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("is not one that Azure issues")
                    .hasMessageNotContaining("sesame")
                    .hasNoCause();
        }
        BlobPlace place = BlobPlace.of("azblob://box/p", Map.of("AZURE_STORAGE_KEY", "sesame"));
        assertThat(place.toString()).isEqualTo("azblob://box/p/");
    }

    private static String endpoint(String url, Map<String, String> environment) {
        return BlobPlace.of(url, environment).client().getBlobContainerUrl();
    }
}
