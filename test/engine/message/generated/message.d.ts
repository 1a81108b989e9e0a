import * as $protobuf from "protobufjs/minimal.js";
import Long = require("long");

/** Namespace message. */
export namespace message {

    /**
     * Properties of a Header.
     * @deprecated Use message.Header.$Properties instead.
     */
    interface IHeader extends message.Header.$Properties {
    }

    /** Represents a Header. */
    class Header {

        /**
         * Constructs a new Header.
         * @param [properties] Properties to set
         */
        constructor(properties?: message.Header.$Properties);

        /** Unknown fields preserved while decoding when enabled */
        $unknowns?: Uint8Array[];

        /** Header messageLength. */
        messageLength: number;

        /** Header hmacHashFunction. */
        hmacHashFunction: message.Header.HmacHashFunction;

        /** Header hmacSigner. */
        hmacSigner: string;

        /** Header hmacKeyVersion. */
        hmacKeyVersion: number;

        /** Header hmac. */
        hmac: Uint8Array;

        /**
         * Creates a new Header instance using the specified properties.
         * @param [properties] Properties to set
         * @returns Header instance
         */
        static create(properties: message.Header.$Shape): message.Header & message.Header.$Shape;
        static create(properties?: message.Header.$Properties): message.Header;

        /**
         * Encodes the specified Header message. Does not implicitly {@link message.Header.verify|verify} messages.
         * @param message Header message or plain object to encode
         * @param [writer] Writer to encode to
         * @returns Writer
         */
        static encode(message: message.Header.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

        /**
         * Decodes a Header message from the specified reader or buffer.
         * @param reader Reader or buffer to decode from
         * @param [length] Message length if known beforehand
         * @returns {message.Header & message.Header.$Shape} Header
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): message.Header & message.Header.$Shape;
    }

    namespace Header {

        /** Properties of a Header. */
        interface $Properties {

            /** Header messageLength */
            messageLength: number;

            /** Header hmacHashFunction */
            hmacHashFunction?: (message.Header.HmacHashFunction|null);

            /** Header hmacSigner */
            hmacSigner?: (string|null);

            /** Header hmacKeyVersion */
            hmacKeyVersion?: (number|null);

            /** Header hmac */
            hmac?: (Uint8Array|null);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];
        }

        /** Shape of a Header. */
        type $Shape = message.Header.$Properties;

        /** HmacHashFunction enum. */
        enum HmacHashFunction {

            /** MD5 value */
            MD5 = 0,

            /** SHA1 value */
            SHA1 = 1
        }
    }

    /**
     * Properties of a Field.
     * @deprecated Use message.Field.$Properties instead.
     */
    interface IField extends message.Field.$Properties {
    }

    /** Represents a Field. */
    class Field {

        /**
         * Constructs a new Field.
         * @param [properties] Properties to set
         */
        constructor(properties?: message.Field.$Properties);

        /** Unknown fields preserved while decoding when enabled */
        $unknowns?: Uint8Array[];

        /** Field name. */
        name: string;

        /** Field valueType. */
        valueType: message.Field.ValueType;

        /** Field representation. */
        representation: string;

        /** Field valueString. */
        valueString: string[];

        /** Field valueBytes. */
        valueBytes: Uint8Array[];

        /** Field valueInteger. */
        valueInteger: Long[];

        /** Field valueDouble. */
        valueDouble: number[];

        /** Field valueBool. */
        valueBool: boolean[];

        /**
         * Creates a new Field instance using the specified properties.
         * @param [properties] Properties to set
         * @returns Field instance
         */
        static create(properties: message.Field.$Shape): message.Field & message.Field.$Shape;
        static create(properties?: message.Field.$Properties): message.Field;

        /**
         * Encodes the specified Field message. Does not implicitly {@link message.Field.verify|verify} messages.
         * @param message Field message or plain object to encode
         * @param [writer] Writer to encode to
         * @returns Writer
         */
        static encode(message: message.Field.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

        /**
         * Decodes a Field message from the specified reader or buffer.
         * @param reader Reader or buffer to decode from
         * @param [length] Message length if known beforehand
         * @returns {message.Field & message.Field.$Shape} Field
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): message.Field & message.Field.$Shape;
    }

    namespace Field {

        /** Properties of a Field. */
        interface $Properties {

            /** Field name */
            name: string;

            /** Field valueType */
            valueType?: (message.Field.ValueType|null);

            /** Field representation */
            representation?: (string|null);

            /** Field valueString */
            valueString?: (string[]|null);

            /** Field valueBytes */
            valueBytes?: (Uint8Array[]|null);

            /** Field valueInteger */
            valueInteger?: (Long[]|null);

            /** Field valueDouble */
            valueDouble?: (number[]|null);

            /** Field valueBool */
            valueBool?: (boolean[]|null);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];
        }

        /** Shape of a Field. */
        type $Shape = message.Field.$Properties;

        /** ValueType enum. */
        enum ValueType {

            /** STRING value */
            STRING = 0,

            /** BYTES value */
            BYTES = 1,

            /** INTEGER value */
            INTEGER = 2,

            /** DOUBLE value */
            DOUBLE = 3,

            /** BOOL value */
            BOOL = 4
        }
    }

    /**
     * Properties of a Message.
     * @deprecated Use message.Message.$Properties instead.
     */
    interface IMessage extends message.Message.$Properties {
    }

    /** Represents a Message. */
    class Message {

        /**
         * Constructs a new Message.
         * @param [properties] Properties to set
         */
        constructor(properties?: message.Message.$Properties);

        /** Unknown fields preserved while decoding when enabled */
        $unknowns?: Uint8Array[];

        /** Message uuid. */
        uuid: Uint8Array;

        /** Message timestamp. */
        timestamp: Long;

        /** Message type. */
        type: string;

        /** Message logger. */
        logger: string;

        /** Message severity. */
        severity: number;

        /** Message payload. */
        payload: string;

        /** Message envVersion. */
        envVersion: string;

        /** Message pid. */
        pid: number;

        /** Message hostname. */
        hostname: string;

        /** Message fields. */
        fields: message.Field.$Properties[];

        /**
         * Creates a new Message instance using the specified properties.
         * @param [properties] Properties to set
         * @returns Message instance
         */
        static create(properties: message.Message.$Shape): message.Message & message.Message.$Shape;
        static create(properties?: message.Message.$Properties): message.Message;

        /**
         * Encodes the specified Message message. Does not implicitly {@link message.Message.verify|verify} messages.
         * @param message Message message or plain object to encode
         * @param [writer] Writer to encode to
         * @returns Writer
         */
        static encode(message: message.Message.$Properties, writer?: $protobuf.Writer): $protobuf.Writer;

        /**
         * Decodes a Message message from the specified reader or buffer.
         * @param reader Reader or buffer to decode from
         * @param [length] Message length if known beforehand
         * @returns {message.Message & message.Message.$Shape} Message
         * @throws {Error} If the payload is not a reader or valid buffer
         * @throws {$protobuf.util.ProtocolError} If required fields are missing
         */
        static decode(reader: ($protobuf.Reader|Uint8Array), length?: number): message.Message & message.Message.$Shape;
    }

    namespace Message {

        /** Properties of a Message. */
        interface $Properties {

            /** Message uuid */
            uuid: Uint8Array;

            /** Message timestamp */
            timestamp: Long;

            /** Message type */
            type?: (string|null);

            /** Message logger */
            logger?: (string|null);

            /** Message severity */
            severity?: (number|null);

            /** Message payload */
            payload?: (string|null);

            /** Message envVersion */
            envVersion?: (string|null);

            /** Message pid */
            pid?: (number|null);

            /** Message hostname */
            hostname?: (string|null);

            /** Message fields */
            fields?: (message.Field.$Properties[]|null);

            /** Unknown fields preserved while decoding when enabled */
            $unknowns?: Uint8Array[];
        }

        /** Shape of a Message. */
        type $Shape = message.Message.$Properties;
    }
}
