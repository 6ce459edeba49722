/** Contains the examples of docs/guide/testing-your-code.md. */
@NullMarked
package dev.doyen.testkit.guide;

import org.jspecify.annotations.NullMarked;
