package dev.doyen.hub.wire;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;

/**
 * Reads and writes arbitrary JSON values, such as {@code extras}, as JSON text or as MessagePack.
 *
 * <p>This class accepts only values that both formats can represent, which excludes bytes and NaN. Integers beyond 64
 * bits become doubles, as in a browser.
 */
final class JsonTree {

    private JsonTree() {}

    /** Reads the value at the parser's position. */
    static JsonNode read(JsonParser in, String where) throws IOException, MalformedFrameException {
        JsonToken token = in.currentToken();
        if (token == JsonToken.START_OBJECT) {
            return object(in, where);
        } else if (token == JsonToken.START_ARRAY) {
            return array(in, where);
        } else if (token == JsonToken.VALUE_STRING) {
            return TextNode.valueOf(Utf8.wellFormed(in.getText()));
        } else if (token == JsonToken.VALUE_TRUE) {
            return BooleanNode.TRUE;
        } else if (token == JsonToken.VALUE_FALSE) {
            return BooleanNode.FALSE;
        } else if (token == JsonToken.VALUE_NULL) {
            return NullNode.getInstance();
        } else if (token == JsonToken.VALUE_NUMBER_INT) {
            return integer(in, where);
        } else if (token == JsonToken.VALUE_NUMBER_FLOAT) {
            return finite(in.getDoubleValue(), where);
        }
        throw new MalformedFrameException(where + " must be JSON; it holds " + FrameReader.describe(token));
    }

    private static ObjectNode object(JsonParser in, String where) throws IOException, MalformedFrameException {
        var node = JsonNodeFactory.instance.objectNode();
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String name = Utf8.wellFormed(in.currentName());
            in.nextToken();
            node.set(name, read(in, where));
        }
        return node;
    }

    private static ArrayNode array(JsonParser in, String where) throws IOException, MalformedFrameException {
        var node = JsonNodeFactory.instance.arrayNode();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            node.add(read(in, where));
        }
        return node;
    }

    private static JsonNode integer(JsonParser in, String where) throws IOException, MalformedFrameException {
        return switch (in.getNumberType()) {
            case INT -> IntNode.valueOf(in.getIntValue());
            case LONG -> {
                long value = in.getLongValue();
                yield value == (int) value ? IntNode.valueOf((int) value) : LongNode.valueOf(value);
            }
            default -> finite(in.getBigIntegerValue().doubleValue(), where);
        };
    }

    private static JsonNode finite(double value, String where) throws MalformedFrameException {
        if (!Double.isFinite(value)) {
            throw new MalformedFrameException(
                    where + " contains a number that is not finite, which JSON does not allow");
        }
        return DoubleNode.valueOf(value);
    }

    static void write(JsonGenerator out, JsonNode node) throws IOException {
        switch (node.getNodeType()) {
            case OBJECT -> {
                out.writeStartObject();
                for (var field : node.properties()) {
                    out.writeFieldName(Utf8.wellFormed(field.getKey()));
                    write(out, field.getValue());
                }
                out.writeEndObject();
            }
            case ARRAY -> {
                out.writeStartArray();
                for (JsonNode element : node) {
                    write(out, element);
                }
                out.writeEndArray();
            }
            case STRING -> out.writeString(Utf8.wellFormed(node.textValue()));
            case BOOLEAN -> out.writeBoolean(node.booleanValue());
            case NUMBER -> {
                if (node.isIntegralNumber() && node.canConvertToLong()) {
                    out.writeNumber(node.longValue());
                } else {
                    out.writeNumber(node.doubleValue());
                }
            }
            default -> out.writeNull();
        }
    }
}
