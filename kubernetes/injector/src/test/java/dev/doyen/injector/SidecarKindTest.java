package dev.doyen.injector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SidecarKindTest {

    @ParameterizedTest
    @CsvSource({"1,20,PLAIN", "1,28+,PLAIN", "1,29,NATIVE", "1,29+,NATIVE", "1,36,NATIVE", "2,0,NATIVE"})
    void sidecars_are_native_from_kubernetes_1_29(String major, String minor, SidecarKind kind) {
        assertThat(SidecarKind.of(major, minor)).isEqualTo(kind);
    }

    @Test
    void an_invalid_version_is_rejected() {
        assertThatThrownBy(() -> SidecarKind.of("1", "next"))
                .hasMessage("the Kubernetes server's minor version is \"next\", which begins with no number");
    }
}
