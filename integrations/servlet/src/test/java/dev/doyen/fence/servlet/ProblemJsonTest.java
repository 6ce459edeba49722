package dev.doyen.fence.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProblemJsonTest {

    @Test
    void every_character_comes_back_from_a_json_parser() throws Exception {
        var text = new StringBuilder();
        for (char c = 0; c < 0x300; c++) {
            text.append(c);
        }
        text.append("\u2028\uD83D\uDC51");
        byte[] json = ProblemJson.bytes(Map.of("detail", text.toString(), "seen", Long.MAX_VALUE));
        JsonNode read = new ObjectMapper().readTree(json);
        assertThat(read.get("detail").asText()).isEqualTo(text.toString());
        assertThat(read.get("seen").asLong()).isEqualTo(Long.MAX_VALUE);
    }
}
