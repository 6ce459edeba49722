@NullMarked
package dev.doyen.client.state;

import org.jspecify.annotations.NullMarked;
