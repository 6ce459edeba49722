package dev.doyen.stores.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ObjectUrlTest {

    @Test
    void a_url_is_parsed() {
        ObjectUrl url = parse("s3://bucket.one/a/b-c?endpoint=http://127.0.0.1:9000&flag=true&timeout-millis=500");
        assertThat(url.container()).isEqualTo("bucket.one");
        assertThat(url.prefix()).isEqualTo("a/b-c/");
        assertThat(url.endpoint()).contains(URI.create("http://127.0.0.1:9000"));
        assertThat(url.flag("flag")).isTrue();
        assertThat(url.timeout()).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void missing_parameters_have_defaults() {
        for (String plain : List.of("s3://bucket", "s3://bucket/")) {
            ObjectUrl url = parse(plain);
            assertThat(url.prefix()).isEmpty();
            assertThat(url.endpoint()).isEmpty();
            assertThat(url.flag("flag")).isFalse();
            assertThat(url.timeout()).isEqualTo(Duration.ofSeconds(2));
        }
        assertThat(parse("s3://bucket/a/").prefix()).isEqualTo("a/");
        assertThat(parse("s3://bucket/a?endpoint=http%3A%2F%2Fh%3A1").endpoint())
                .contains(URI.create("http://h:1"));
    }

    @Test
    void an_invalid_url_is_rejected_and_not_printed() {
        for (String bad : List.of(
                "s3:bucket",
                "s3://",
                "s3://me:sesame@bucket/a",
                "s3://Bucket/a",
                "s3://b/a",
                "s3://bucket/a//b",
                "s3://bucket/../b",
                "s3://bucket/a b",
                "s3://bucket/a/b/c/d/e/f",
                "s3://bucket/a?sesame",
                "s3://bucket/a?SESAME=1",
                "s3://bucket/a?flag=%zz",
                "s3://bucket/a?flag=true&flag=false",
                "s3://bucket/a?flag=sesame",
                "s3://bucket/a?endpoint=sesame",
                "s3://bucket/a?endpoint=ftp://h",
                "s3://bucket/a?endpoint=http://me:sesame@h",
                "s3://bucket/a?timeout-millis=0",
                "s3://bucket/a?timeout-millis=60001",
                "s3://bucket/a?timeout-millis=sesame")) {
            assertThatIllegalArgumentException()
                    .as(bad)
                    .isThrownBy(() -> {
                        ObjectUrl url = parse(bad);
                        url.endpoint();
                        url.timeout();
                        url.flag("flag");
                    })
                    .satisfies(e -> assertThat(e.getMessage()).doesNotContainIgnoringCase("sesame"));
        }
    }

    @Test
    void an_unknown_parameter_is_rejected_with_the_known_ones() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse("s3://bucket/a?blob-lease=true"))
                .withMessage("a s3: store has no parameter \"blob-lease\"; there is endpoint, flag, timeout-millis");
    }

    private static ObjectUrl parse(String url) {
        return ObjectUrl.parse("s3", url, Set.of("flag"));
    }
}
